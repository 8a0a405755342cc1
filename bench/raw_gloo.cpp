#include "raw_gloo.hpp"

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/allreduce_halving_doubling.h>
#include <gloo/math.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <vector>

namespace shardbench::bench {

std::shared_ptr<gloo::Context> raw_context(int rank, const std::string& folder, Pairs pairs) {
  gloo::transport::tcp::attr attributes;
  attributes.iface = "lo";
  auto device = gloo::transport::tcp::CreateDevice(attributes);
  gloo::rendezvous::FileStore store(folder);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, 2);
  context->connectFullMesh(store, device);
  if (pairs == Pairs::synchronous) context->getPair(1 - rank)->setSync(true, false);
  return context;
}

void raw_all_reduce(const std::shared_ptr<gloo::Context>& context, float* data, std::size_t count) {
  gloo::AllreduceOptions options(context);
  options.setOutput(data, count);
  options.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, std::size_t)>(&gloo::sum<float>));
  gloo::allreduce(options);
}

std::function<void()> raw_halving_doubling(const std::shared_ptr<gloo::Context>& context, float* data,
                                           std::size_t count) {
  auto algorithm = std::make_shared<gloo::AllreduceHalvingDoubling<float>>(context, std::vector<float*>{data},
                                                                           static_cast<int>(count));
  return [algorithm] { algorithm->run(); };
}

void raw_all_gather(const std::shared_ptr<gloo::Context>& context, float* mine, float* all, std::size_t count) {
  gloo::AllgatherOptions options(context);
  options.setInput(mine, count);
  options.setOutput(all, count * static_cast<std::size_t>(context->size));
  gloo::allgather(options);
}

void raw_ping_pong(const std::shared_ptr<gloo::Context>& context, float* data, std::size_t count) {
  auto buffer = context->createUnboundBuffer(data, count * sizeof(float));
  const int peer = 1 - context->rank;
  for (const int sender : {0, 1}) {
    if (context->rank == sender) {
      buffer->send(peer, 1);
      buffer->waitSend();
    } else {
      buffer->recv(peer, 1);
      buffer->waitRecv();
    }
  }
}

}  // namespace shardbench::bench
