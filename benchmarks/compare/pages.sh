#!/bin/sh
# Print the pages of benchmarks/results/compare-*.md from finished comparisons; see benchmarks/README.md. Run it where the data and results/ are:
#
#     NEURAL=textseg,cnn,s-lstm sh PROJECT/benchmarks/compare/pages.sh PROJECT
#
# NEURAL names the systems whose networks have been trained; a finished system is read from results/ and not run again.
set -eu
project=$1
results=$project/benchmarks/results
lexical=whole,texttiling,c99,topictiling,bayesseg,bayesseg-known,graphseg
splitters=changepoint,ruptures,textsplit,haystack,chonkie,llama-index,langchain
neural=${NEURAL:+,$NEURAL}

page() { # TITLE FILE ARGUMENTS…
    title=$1 file=$2
    shift 2
    { printf '# %s\n\n' "$title"; sector compare "$@" --markdown; } > "$results/$file.part"
    mv "$results/$file.part" "$results/$file"
}

for data in en_disease en_city pt_disease pt_city; do
    language=${data%%_*}
    case $data in en_*) models=,model:$data,model:${data}_accurate ;; *) models= ;; esac
    page "Topics of $data" "compare-$data.md" "wikisection/${data}_test.json.xz" --train "wikisection/${data}_train.json.xz" \
        --validation "wikisection/${data}_validation.json.xz" --language "$language" --vectors "vectors/$language" \
        --output "results/$data" --models "device/$data" --systems "$lexical,pv,$splitters$neural$models"
done
if [ -n "$neural" ]; then
    for data in wikisection/en_disease wikisection/en_city headings/en_wiki headings/de_wiki; do
        name=${data#*/} language=$(basename "$data" | cut -d_ -f1)
        case $name in en_wiki) count=20 ;; de_wiki) count=10 ;; *) count=3 ;; esac
        case $name in en_wiki) models=,model:en_wiki,model:en_wiki_accurate ;; de_wiki) models=,model:de_wiki ;; *) models= ;; esac
        page "Headings of $name" "compare-$name-headings.md" "${data}_test.json.xz" --train "${data}_train.json.xz" \
            --validation "${data}_validation.json.xz" --task headings --min-count "$count" --language "$language" \
            --vectors "vectors/$language" --output "results/$name-headings" --models "device/$name-headings" --systems "cnn,s-lstm$models"
    done
fi
for data in wiki50 clinical choi; do
    case $data in choi) protocol=choi others= ;; *) protocol=koshorek others=$splitters, ;; esac
    case $neural in *textseg*) trained=,textseg,s-lstm ;; *) trained= ;; esac
    page "Segmentation of $data by systems from elsewhere" "compare-$data.md" "segmentation/$data.tar.xz" \
        --train headings/en_wiki_train.json.xz --validation headings/en_wiki_validation.json.xz --task headings --min-count 20 \
        --language en --vectors vectors/en --protocol "$protocol" --output "results/$data" --models device/en_wiki-headings \
        --systems "whole,texttiling,c99,c99-known,topictiling,bayesseg,bayesseg-known,graphseg,${others}model:en_wiki,model:en_disease,model:en_city$trained"
done

tables() { # PAGE FOLDERS…
    python "$project/benchmarks/run.py" compare/tables "$@" --output "$results/compare-$1.md" > /dev/null
}

mkdir -p results/en_disease-headings results/en_city-headings results/en_wiki-headings results/de_wiki-headings
tables topics results/en_disease results/en_city results/pt_disease results/pt_city
tables headings results/en_disease-headings results/en_city-headings results/en_wiki-headings results/de_wiki-headings
tables segmentation results/wiki50 results/clinical results/choi
