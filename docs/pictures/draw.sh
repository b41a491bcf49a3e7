#!/bin/sh
# Draw the pictures of README.md and docs/figures.md from the example documents: sh docs/pictures/draw.sh
set -eu
cd "$(dirname "$0")/../.."
for theme in light dark; do
  sector figure examples/migraine.jsonl --model en_disease --segmentation joint --merge --rows 10 \
    --theme $theme --output docs/pictures/migraine-$theme.svg
done
sector figure examples/migraine.jsonl --model en_disease --segmentation newline,emd,bemd --merge --rows 10 \
  --output docs/pictures/migraine-segmentations.svg
sector figure examples/irrigation-controller.md --headings ignore --output docs/pictures/irrigation-controller.svg

# A training run on the job advertisements; the last twelve share no sentence with the others.
runs=$(mktemp -d)
trap 'rm -rf "$runs"' EXIT
head -n 38 examples/job-adverts.jsonl > "$runs/train.jsonl"
tail -n 12 examples/job-adverts.jsonl > "$runs/test.jsonl"
sector train "$runs/train.jsonl" --validation "$runs/test.jsonl" --encoder bow --output "$runs/bow"
sector figure "$runs/bow.work" --output docs/pictures/training.svg
