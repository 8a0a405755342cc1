# Makes one wrong call of shardbench_add_plugin, which must stop before it adds a target.
#   cmake -DFUNCTION=cmake/ShardbenchPlugin.cmake -DCALL="name;KIND;schedule" -P refused_call.cmake
cmake_minimum_required(VERSION 3.25)
include("${FUNCTION}")
shardbench_add_plugin(${CALL})
