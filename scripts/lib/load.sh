# Sourced first by every script: strict mode, where the checkout is, and the other files of this folder.
set -euo pipefail

scripts=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
root=$(dirname -- "$scripts")
readonly scripts root

# shellcheck source=scripts/lib/say.sh
. "$scripts/lib/say.sh"
# shellcheck source=scripts/lib/packages.sh
. "$scripts/lib/packages.sh"
# shellcheck source=scripts/lib/libtorch.sh
. "$scripts/lib/libtorch.sh"
# shellcheck source=scripts/lib/build.sh
. "$scripts/lib/build.sh"
