#!/usr/bin/env bash
# `shunt explain` prints the schedules of Liu 2002, Figs. 6, 9 and 10, and of Sanders and
# Traff 2002, Fig. 3.
set -euo pipefail

# expect WHAT: compares the output on standard input with the text on descriptor 3.
expect() {
  diff -u /dev/fd/3 - || {
    echo "$1 is not as expected"
    exit 1
  }
}

figure_10='Column no.   0   1   2   3   4   5   6   7
Sender      16  17  18  19  20  21  22  23  58
Step 1      17  18  19  20  21  22  23  16  59
Step 2      18  19  20  21  22  23  16  17  60
Step 3      19  20   X  22  23  16  17  18  21
Step 4      20   X  21  23  16  17  18  19  22
Step 5       X  21  22  16  17  18  19  20  23
Step 6      21  22  23  17  18  19  20   X  56
Step 7      22  23  16  18  19  20   X  21  57
Step 8      23  16  17  19  20   X  21  22  58
Step 9      16  17  18          21  22  23'

figure_9='Column no.   0    1    2    3    4    5    6    7
Sender      16   17   18   19   20   21   22   23   58
Step 1      17   18   19   20   21   22   23   16   59
Step 2      18   19   20   21   22   23   16   17   60
Step 3      19   20   21*  22   23   16   17   18   21*
Step 4      20   21   22*  23   16   17   18   19   22*
Step 5      21   22   23*  16   17   18   19   20   23*
Step 6      22   23   16   17   18   19   20   21   56
Step 7      23   16   17   18   19   20   21   22   57
Step 8      16   17   18   19   20   21   22   23   58'

cyclic_shift='Row no.   0   1   2
Sender    1   5   9
Step 1    5   9   1
Step 2    9   1   5
Step 3    1   5   9'

"$SHUNT" explain --algorithm four-stage -P 61 --row 2 | sed -n '/^Column/,/^Step 9/p' |
  expect 'Fig. 10' 3<<<"$figure_10"
"$SHUNT" explain --algorithm four-stage -P 61 --row 2 --unrevised | sed -n '/^Column/,/^Step 8/p' |
  expect 'Fig. 9' 3<<<"$figure_9"
"$SHUNT" explain --algorithm four-stage -P 12 --column 1 | sed -n '/^Row/,/^Step 3/p' | tr -s ' ' |
  expect 'the C-Schedule' 3< <(tr -s ' ' <<<"$cyclic_shift")

figure_3='Node  Rank   1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18
   0     0   =        1  2     3  4  5
   1     1   3  4  5  0        = >2    <2
         2               0       <1    >1  =     3  4  5
   2     3   1        = >4 >5  0       <4        2       <5
         4      1       <3        0    >3  = >5     2       <5
         5         1       <3        0       <4        2 >3 >4  ='

improved='Node  Rank   1  2  3  4  5  6  7  8  9 10 11 12
   0     0   =        1  2     3  4  5
   1     1   3  4  5  0        2  =
         2               0     1  =     3  4  5
   2     3   1        =  4  5  0        2
         4      1     5  3  =     0        2
         5         1  4  =  3        0        2'

"$SHUNT" explain --algorithm node-pairwise:printed --nodes 1,2,3 | sed -n '/^Node/,$p' |
  expect 'Fig. 3' 3<<<"$figure_3"
"$SHUNT" explain --algorithm node-pairwise --nodes 1,2,3 | sed -n '/^Node/,$p' |
  expect 'the improved schedule' 3<<<"$improved"

# No line of any table is wider than a page.
for arguments in '-P 128' '-P 1000000 --row 3' '-P 61 --rank 60' \
  '-P 100 --algorithm stages:3 --traffic zipf:1.5 --maximum 10000' \
  '-P 50 --algorithm groups --traffic zero' \
  '-P 100 --nodes round-robin:7 --algorithm leaders:3' \
  '-P 100 --algorithm partition-by-source --sources random:70' \
  '-P 100 --algorithm partition-by-source --sources random:70 --rank 99'; do
  # shellcheck disable=SC2086
  width=$("$SHUNT" explain $arguments | wc --max-line-length)
  if ((width > 80)); then
    echo "explain $arguments prints lines of $width characters"
    exit 1
  fi
done

# A uniform traffic of P ranks and P elements a block: 4 messages of 4 x 16 bytes in each stage.
"$SHUNT" explain -P 16 --traffic uniform --maximum 16 --element 1 --grain 1 --json |
  tr -d ' \n' | grep '"load_bytes":256,"longest_at_most_bytes":[0-9]*,"longest_bytes":64,' >/dev/null || {
  echo 'the traffic of 16 ranks is not followed'
  exit 1
}

# Ranks 0 and 4 of 8 have a block: 4 sends its own to 0, which sends it to all but 4.
"$SHUNT" explain --algorithm gather-broadcast -P 8 --sources column:2 --array 2x4 --length 10 |
  expect 'the stages of an all-gather' 3<<'EOF'
gather-broadcast from 2 of 8 ranks: 4 stages, at most 4 start-ups

stage  what               steps  messages  active ranks  longest  bytes in all
-----  -----------------  -----  --------  ------------  -------  ------------
    1  gather at rank 0       1         1             2       10            10
    2  halve the line, 1      1         1             2       10            10
    3  halve the line, 2      1         2             4       20            40
    4  halve the line, 3      1         4             8       20            80

metric       what                                                       value
-----------  ---------------------------------------------------------  -----
#send/rec    messages that a rank sends and receives, at most               4
congestion   the same in one stage                                          1
wait         times that a rank waits for data before it sends, at most      1
av_msg_lgth  bytes that the busiest rank sends or receives in a stage    15.0
av_act_proc  ranks that are active in a stage                            4.00
EOF
"$SHUNT" explain --algorithm recursive-halving -P 8 --sources equal:4 --rank 6 |
  expect 'the messages of an all-gather' 3<<'EOF'
recursive-halving from 4 of 8 ranks: 3 stages, at most 3 start-ups

stage  what               step  to  sends blocks of  from  receives blocks of
-----  -----------------  ----  --  ---------------  ----  ------------------
    1  halve the line, 1     1   2  6                   2  2
    2  halve the line, 2     1   4  2 6                 4  0 4
    3  halve the line, 3     1   7  0 2 4 6
EOF

# Guo 2000, Fig. 7(a), and its receiving side, which is the schedule of the way back.
"$SHUNT" explain --from 'CYCLIC(4) onto 6' --to 'CYCLIC onto 6' --shape 240 |
  expect 'Fig. 7(a)' 3<<'EOF'
CYCLIC(4) onto 6 to CYCLIC(1) onto 6, 240 indices: 24 messages in 4 steps
by Guo 2000, Algorithm 1
longest messages of all steps: 40 elements; the busiest place has 40

Who has something for whom

sender  receivers 0-5
------  -------------
     0  1111..
     1  11..11
     2  ..1111
     3  1111..
     4  11..11
     5  ..1111

Who sends to whom

sender  to, step by step
------  ----------------
     0  0 1 2 3
     1  4 5 0 1
     2  2 3 4 5
     3  1 2 3 0
     4  5 0 1 4
     5  3 4 5 2

Who receives from whom

receiver  from, step by step
--------  ------------------
       0  0 4 1 3
       1  3 0 4 1
       2  2 3 0 5
       3  5 2 3 0
       4  1 5 2 4
       5  4 1 5 2
EOF
there=$("$SHUNT" explain --from 'CYCLIC(4) onto 6' --to 'CYCLIC onto 6' --shape 240 |
  sed -n '/^receiver/,$p' | sed 1,2d)
back=$("$SHUNT" explain --from 'CYCLIC onto 6' --to 'CYCLIC(4) onto 6' --shape 240 |
  sed -n '/^Who sends/,/^Who receives/p' | grep '^ ')
[[ $(tr -s ' ' <<<"$there") == $(tr -s ' ' <<<"$back") ]] || {
  echo "the way back is another one: $back"
  exit 1
}
# Indices 0 and 1 of 6 lie in the first blocks of both, 2 in the second of the receivers, 3 in both
# second ones, 4 and 5 in the second and the third.
short=$("$SHUNT" explain --from 'CYCLIC(3) onto 4' --to 'CYCLIC(2) onto 4' --shape 6)
grep -q '^CYCLIC(3) onto 4 to CYCLIC(2) onto 4, 6 indices: 4 messages in 2 steps$' <<<"$short" || {
  echo "a short array: $short"
  exit 1
}
# Algorithm 1 is for arrays in which all that can meet does.
"$SHUNT" explain --from 'CYCLIC(4) onto 6' --to 'CYCLIC onto 6' --shape 3 |
  grep -x 'by the schedule of fewest steps' >/dev/null || {
  echo 'a short array is sent by a schedule of longer ones'
  exit 1
}

# Guo 2000, Fig. 8.
"$SHUNT" explain --from '(BLOCK, BLOCK) onto 2x4' --to 'BLOCK, BLOCK onto 4x2' --shape 8x8 |
  expect 'Fig. 8' 3<<'EOF'
(CYCLIC(4), CYCLIC(2)) onto 2x4
to (CYCLIC(2), CYCLIC(4)) onto 4x2,
8x8 indices: 16 messages in 2 steps
by Guo 2000, Algorithm 2
longest messages of all steps: 8 elements; the busiest place has 8

Who has something for whom

sender  receivers 0-7
------  -------------
     0  1.1.....
     1  1.1.....
     2  .1.1....
     3  .1.1....
     4  ....1.1.
     5  ....1.1.
     6  .....1.1
     7  .....1.1

Who sends to whom

sender  to, step by step
------  ----------------
     0  0 2
     1  2 0
     2  1 3
     3  3 1
     4  4 6
     5  6 4
     6  5 7
     7  7 5

Who receives from whom

receiver  from, step by step
--------  ------------------
       0  0 1
       1  2 3
       2  1 0
       3  3 2
       4  4 5
       5  6 7
       6  5 4
       7  7 6
EOF
# Of 4x2 places of 4x1 elements, the upper two rows go to the first receiver: row by row these are
# places 0 to 3, column by column 0, 1, 4 and 5.
for order in '' --column-major; do
  # shellcheck disable=SC2086
  "$SHUNT" explain --from '(BLOCK, BLOCK) onto 4x2' --to '(BLOCK, *) onto 2' --shape 16x2 --json \
    $order | tr -d ' \n' | sed 's/.*"elements":\(.*\),"from".*/\1\n/'
done | expect 'the elements of two dimensions' 3<<'EOF'
[[4,0],[4,0],[4,0],[4,0],[0,4],[0,4],[0,4],[0,4]]
[[4,0],[4,0],[0,4],[0,4],[4,0],[4,0],[0,4],[0,4]]
EOF
# Messages of 1 and 2 elements: in each of four steps there are others of 1 and of 2, or not.
for rule in '' '--by-length sorted' '--by-length matched'; do
  # shellcheck disable=SC2086
  "$SHUNT" explain --from 'CYCLIC(3) onto 2' --to 'CYCLIC(2) onto 6' --shape 12 $rule |
    sed -n '/^by/,/^longest/p'
done | expect 'steps by length' 3<<'EOF'
by the schedule of fewest steps
longest messages of all steps: 8 elements; the busiest place has 6
by the schedule of fewest steps, sorted by length
longest messages of all steps: 7 elements; the busiest place has 6
by the schedule of fewest steps, matched by length
longest messages of all steps: 6 elements; the busiest place has 6
EOF
# Step 2.2 of Algorithm 2 would have places (0, 1) and (1, 0) begin at the same receiver.
"$SHUNT" explain --from '(CYCLIC(4), CYCLIC) onto 2x2' --to '(CYCLIC, *) onto 4' --shape 64x64 |
  sed -n '/indices/,/^by/p' | expect 'a schedule beyond Algorithm 2' 3<<'EOF'
64x64 indices: 16 messages in 4 steps
by the schedule of fewest steps
EOF

# The block of the middle one of three places lies in those of both receivers.
"$SHUNT" explain --from 'CYCLIC(2) onto 3' --to 'CYCLIC(3) onto 2' --shape 6 --json | tr -d ' \n' |
  grep -F '"communication":[[true,false],[true,true],[false,true]]' |
  grep -F '"sends":[[null,0],[0,1],[1,null]]' >/dev/null || {
  echo 'the JSON of a redistribution is another one'
  exit 1
}

# expect_candidate NAME PLACE [OPTION]: "auto" tries it, and the table says when and why.
expect_candidate() {
  local table
  table=$("$SHUNT" algorithms --candidates "${@:3}")
  grep -qE "^$1 +$2 +[^ ]+ .*  [^ ]+" <<<"$table" || {
    echo "$1 is no candidate, or has no reason"
    exit 1
  }
}
expect_candidate linear last
"$SHUNT" algorithms --candidates --json | jq --exit-status 'any(.. | strings; . == "linear shared=once")' \
  >/dev/null || {
  echo 'single copies are no candidate'
  exit 1
}
expect_candidate native last
expect_candidate node-ring first --allgather
expect_candidate native last --allgather
