#!/bin/bash
# run.sh TREE OUT TASK REPO...
tree=$1; out=$2; t=$3; shift 3
EVAL_MIRRORS=/work/.mirror HOME=$(mktemp -d /tmp/w/s8/hXXXX) timeout 3000 python3 /work/shared/eval/drive.py --adapter "env PYTHONPATH=$tree /work/main/.venv/bin/python -m benchmarks.eval_adapter" --task $t --repo "$@" --out $out
