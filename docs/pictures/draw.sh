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
