for part in "$LIB"/deep/*.sh; do
  :
done
fetch() {
  source `dirname "$BASH_SOURCE"`/deep/cache.sh
  cached "$1"
}
