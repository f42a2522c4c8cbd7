. "$(dirname "${BASH_SOURCE[0]}")/deep/color.sh"
say() { echo "$(red "$1")"; }
