#!/usr/bin/env bash
# SPDX-License-Identifier: BSL-1.0
# Makes a pair of recordings for examples/capture: guitar, and the same guitar through a circuit
# model of a pedal.
#
#     make_pair.sh [PEDAL] [FOLDER]     PEDAL: fuzzface (default), muff, bossds1, ts9, jcm800pre
#                                       FOLDER: where dry.flac and wet.flac go (default: build/pairs/PEDAL)
#
# Needs Debian's sonic-pi-samples, guitarix-lv2, lv2file, sox, sndfile-programs and flac, and
# installs what is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
pedal=${1:-fuzzface}
folder=${2:-$here/../../build/pairs/$pedal}
case $pedal in
fuzzface | muff | bossds1 | jcm800pre) plugin="gx_${pedal}_#_${pedal}_" ;;
ts9) plugin='gxts9#ts9sim' ;;
*)
    echo "make_pair.sh: no pedal $pedal; there are fuzzface, muff, bossds1, ts9, jcm800pre" >&2
    exit 1
    ;;
esac
plugin="http://guitarix.sourceforge.net/plugins/$plugin"

. "$here/../../test/tools/packages.sh"
need sonic-pi-samples 'the guitar'
need guitarix-lv2 'the pedals'
need lv2file 'runs a pedal on a file'
need sox 'joins and scales'
need sndfile-programs 'turns down what is too loud'
need flac 'packs'
install_missing

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# -D: no random dither, so that a pair can be made again bit by bit
samples=/usr/share/sonic-pi/samples
for name in guit_e_fifths guit_e_slide guit_em9; do
    sox -D "$samples/$name.flac" -b 24 "$work/$name.wav" remix - # all channels to one
done
# -3 dB leaves the pedal some room; 20 s are ten blocks of two
sox -D "$work"/guit_e_fifths.wav "$work"/guit_e_slide.wav "$work"/guit_em9.wav \
    -b 16 "$work/dry.wav" norm -3 trim 0 20
# Through floating point, so that a loud pedal cannot clip in the file. The pedal is switched on a second
# before the guitar: its capacitors take a quarter of a second to charge, and a sound that depends on
# when the power came on cannot be learned from what was played.
sox -D "$work/dry.wav" -e floating-point -b 32 "$work/in.wav" pad 1 0
lv2file -m -i "$work/in.wav" -o "$work/out.wav" "$plugin" >/dev/null
peak=$(sndfile-info "$work/out.wav" | sed -n 's/^Signal Max *:.*(\(.*\) dB).*/\1/p')
if awk -v peak="$peak" 'BEGIN { exit !(peak > -0.5) }'; then
    # sox would clip what exceeds full scale before it could turn it down
    echo "The pedal peaks at $peak dB: turned down to -1 dB."
    sndfile-convert -normalize "$work/out.wav" "$work/full.wav"
    sox -D -V1 "$work/full.wav" -b 16 "$work/wet.wav" trim 1 norm -1
else
    sox -D -V1 "$work/out.wav" -b 16 "$work/wet.wav" trim 1
fi

mkdir -p "$folder"
for name in dry wet; do
    flac --best --silent --force "$work/$name.wav" -o "$work/$name.flac"
    mv "$work/$name.flac" "$folder/$name.flac"
done
echo "wrote $folder/dry.flac and $folder/wet.flac"
