#!/usr/bin/env bash
# `shunt reproduce` prints the golden values of the papers, and their figures as well-formed XML. What
# is simulated is left to reproduce_simulated.sh.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# expect TEXT: standard input contains a line that begins with it, blanks squeezed.
expect() {
  grep -q "^$1" <<<"$(tr -s ' ')" || {
    echo "no line begins with \"$1\""
    exit 1
  }
}

"$SHUNT" reproduce liu2005 --pictures "$folder/pictures" >"$folder/liu2005"
for line in '\[5\] Tseng 1997 Table II 10 1280 2304 3715.5$' \
  '\[6\] Suh 1998 Table II 9 2176 2176 4156.6$' '\[10\] Suh 2001 Table II 10 1280 768 2339.2$' \
  'AT2 Table II 10 512 768 1798.6$' 'torus:16x16 schedule 10 512 768 1798.6$' \
  'torus-split:16x16 schedule 16 512 512 ' '16 x 16 64 3.716 4.157 2.339 1.799$' \
  'Lemma 1 .* 72 72 holds$' 'Lemma 2 AR: p/2 start-ups 31 31 holds$' \
  'IV.D AT2: c/2 + 2 start-ups 10 10 holds$' 'Lemma 4 .* 10 5 not '; do
  expect "$line" <"$folder/liu2005"
done

"$SHUNT" reproduce liu2002 --simulated-ranks 0 --pictures "$folder/pictures" >"$folder/liu2002"
for line in 'T3D, Pattern 2 64 [0-9.]* 2.3[78] 1.30$' 'T3D, Pattern 2 4096 [0-9.]* 0.62 3.83$' \
  'SP2, Pattern 2 1024 [0-9.]* 1.54 2.82$' '3.1.2 A2: 2 P start-ups 200 200 holds$' \
  'Fig. 9 .* 173 173 holds$' 'The simulated figures are left out: --simulated-ranks is 0.$' \
  'Table 2 stages II, IV: .* 4160 4160 holds$'; do
  expect "$line" <"$folder/liu2002"
done
xmllint --noout "$folder/pictures/liu2002-one-port.svg"

"$SHUNT" reproduce sanders2002 --simulated-ranks 0 >"$folder/sanders2002"
for line in '1, 2, 3 (Fig. 3) 18 18 12 9$' '6 nodes of 4 96 96 80 80$' '2, 4, 8, 16 480 480 256 224$' \
  '64 nodes of 8 4096 4096 4032 4032$' '9 nodes of 8 576 576 576 512$' \
  'Fig. 1 the factor algorithm takes P 64 64 holds$' 'Fig. 3 .* 1 0 fails 1,2,3: 18, not$' \
  'Theorem n P steps, n the ranks of the 200 200 holds$'; do
  expect "$line" <"$folder/sanders2002"
done

"$SHUNT" reproduce hambrusch1998 --simulated-ranks 0 --pictures "$folder/pictures" >"$folder/hambrusch1998"
for line in '2-Step 16 15 1 21 15.29 20.29$' 'Br_Lin 16 2 4 10 7.83 26.67$' \
  'E(s), 4 KiB 30 13.423 11.886 3.589 ' 'Cr(30) 2.124 2.875 3.100$' ' 192 15.4 7.3 0.4 -1.0$' \
  'Fig. 2 Br_Lin, s = 2^l: av_msg_lgth 42 42 holds$' \
  'Fig. 3 PersAlltoAll slower than Br_.. 36 36 holds$' \
  '4 Br_Lin, Dr(10): none new at 2 0 fails Br_Lin: 20, not$'; do
  expect "$line" <"$folder/hambrusch1998"
done
xmllint --noout "$folder/pictures/hambrusch1998-figure-3.svg"

"$SHUNT" reproduce guo2000 --pictures "$folder/pictures" >"$folder/guo2000"
for line in ' 4096 0.214 1.271 2.680 5.498 11.134$' 'CYCLIC(6) 4 5.236 5.636 5.636 6.474 ' \
  'CYCLIC(12) 0 us 64 1.86 1.33 ' '4.1 P = 12, P. = 8, .* 2 2 holds$' \
  '4.2 with scheduling at most K 119 119 holds$' '5 the gain over ascending 7 3 not ' \
  '- scheduled is behind none of 595 594 not CYCLIC(12), 10,'; do
  expect "$line" <"$folder/guo2000"
done
xmllint --noout "$folder/pictures/guo2000-figures-10-and-11.svg"

if (($(cat "$folder"/*2000 "$folder"/*2002 "$folder"/*2005 "$folder"/*1998 | wc --max-line-length) > 80)); then
  echo 'a line is wider than a page'
  exit 1
fi
xmllint --noout "$folder/pictures/liu2005-figure-6.svg"
"$SHUNT" reproduce liu2005 --json | tr -d ' \n' |
  grep '"algorithm":"AT2","from":"TableII","rearranged_blocks":768.0,"start_ups":10.0,' >/dev/null || {
  echo 'the JSON of liu2005 has no AT2'
  exit 1
}
