#!/usr/bin/env bash
# The installed tree serves CMake projects in any language and a Makefile with pkg-config, also after
# it has been moved, with static libraries or with shared ones as it was built; it refuses another MPI;
# the Debian package installs and removes cleanly.
set -euo pipefail

bin=$(dirname "$SHUNT")
build=$(dirname "$bin")
uses=$PWD/tests/install
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
flavour=$SHUNT_MPI
kind=static
if grep -qx 'BUILD_SHARED_LIBS:BOOL=ON' "$build/CMakeCache.txt"; then kind=shared; fi

quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    echo "failed: $*"
    cat "$scratch/log"
    exit 1
  }
}

# libraries_in ROOT: the folder of the libraries in the tree under ROOT.
libraries_in() {
  dirname "$(dirname "$(find "$1" -name shunt.pc)")"
}

run_programs() {
  local program used
  for program in "$@"; do
    # shellcheck disable=SC2086
    quietly $SHUNT_MPIRUN -n 3 "$scratch/$program"
    used=static
    if objdump -p "$scratch/$program" | grep -E 'NEEDED +libshunt(_fortran)?\.so\.[0-9]' >/dev/null; then
      used=shared
    fi
    if [[ $used != "$kind" ]]; then
      echo "$program uses the $used library, and the tree was built with the $kind one"
      exit 1
    fi
  done
}

# refused SENTENCE COMMAND...: the command fails, and says so on lines of any length.
refused() {
  local sentence=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    echo "not refused: $*"
    exit 1
  fi
  tr -s ' \n' ' ' <"$scratch/log" | grep -F "$sentence" >/dev/null || {
    echo "no word of \"$sentence\" in:"
    cat "$scratch/log"
    exit 1
  }
}

# configure NAME OPTION...: the project, in a folder of that name.
configure() {
  local name=$1
  shift
  cmake -S "$uses" -B "$scratch/$name" -G Ninja -DCMAKE_BUILD_TYPE=Release "$@"
}

# try_by_cmake ROOT LANGUAGES PROGRAM...: a CMake project in those languages that uses the tree under
# ROOT is built and run.
try_by_cmake() {
  local root=$1 languages=$2 name=by_cmake_${2//;/_}
  shift 2
  quietly configure "$name" -DLANGUAGES="$languages" -DShunt_DIR="$(libraries_in "$root")/cmake/Shunt" \
    -DMPI_CXX_COMPILER="mpicxx.$flavour" -DMPI_Fortran_COMPILER="mpifort.$flavour"
  quietly cmake --build "$scratch/$name"
  run_programs "${@/#/$name/}"
}

# The same of a Makefile with pkg-config.
try_by_make() {
  rm -rf "$scratch/by_make"
  cp -r "$uses" "$scratch/by_make"
  PKG_CONFIG_PATH=$(libraries_in "$1")/pkgconfig quietly make -C "$scratch/by_make" --jobs=2 \
    MPICC="mpicc.$flavour" MPICXX="mpicxx.$flavour"
  LD_LIBRARY_PATH=$(libraries_in "$1") run_programs by_make/from_{c,cpp}
}

quietly cmake --install "$build" --prefix "$scratch/first"
if grep -rl nlohmann "$(libraries_in "$scratch/first")/cmake" "$scratch/first/include"; then
  echo 'these ask the user for a library that only Shunt needs'
  exit 1
fi
mv "$scratch/first" "$scratch/moved"
try_by_cmake "$scratch/moved" C from_c
try_by_cmake "$scratch/moved" Fortran from_f90
try_by_cmake "$scratch/moved" 'C;CXX;Fortran' from_{c,cpp,f90}
try_by_make "$scratch/moved"
quietly "$scratch/moved/bin/shunt" algorithms
# shellcheck disable=SC2086
LD_LIBRARY_PATH=$(libraries_in "$scratch/moved") \
  quietly "$scratch/moved/bin/shunt" run -- $SHUNT_MPIRUN -n 2 "$scratch/by_make/from_c"

# Another MPI than that of the tree.
other=openmpi
if [[ $flavour == openmpi ]]; then other=mpich; fi
refused "it was built with $flavour, and the project's MPI is another one" \
  configure other -DLANGUAGES=C -DShunt_DIR="$(libraries_in "$scratch/moved")/cmake/Shunt" \
  -DMPI_CXX_COMPILER="mpicxx.$other"

# As a part of another project, with Fortran where that speaks it; and one MPI for all of a build.
shared=OFF
if [[ $kind == shared ]]; then shared=ON; fi
quietly configure part -DSHUNT_SOURCE="$PWD" -DMPI_CXX_COMPILER="mpicxx.$flavour" \
  -DBUILD_SHARED_LIBS="$shared"
refused "name the wrappers of one MPI" configure mixed -DSHUNT_SOURCE="$PWD" \
  -DMPI_CXX_COMPILER="mpicxx.$flavour" -DMPI_Fortran_COMPILER="mpifort.$other"
# Wrappers without a suffix, each time that the project is configured.
mkdir "$scratch/plain_bin"
for wrapper in mpicxx mpifort; do
  printf '#!/bin/sh\nexec %s.%s "$@"\n' "$wrapper" "$flavour" >"$scratch/plain_bin/$wrapper"
done
printf '#!/bin/sh\nexec mpiexec.%s "$@"\n' "$flavour" >"$scratch/plain_bin/mpiexec"
chmod +x "$scratch/plain_bin"/*
for _ in once again; do
  quietly configure plain -DSHUNT_SOURCE="$PWD" -DMPI_CXX_COMPILER="$scratch/plain_bin/mpicxx" \
    -DMPI_Fortran_COMPILER="$scratch/plain_bin/mpifort"
done
refused "name both of one MPI" configure launcher -DSHUNT_SOURCE="$PWD" \
  -DMPI_CXX_COMPILER="mpicxx.$flavour" -DMPIEXEC_EXECUTABLE="mpiexec.$other"

# A root of its own, so that the system's packages are left alone.
quietly cpack --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/package"
package=$(echo "$scratch"/package/*.deb)
root=$scratch/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
dpkg_here=(dpkg --root="$root" --force-depends --force-not-root --force-script-chrootless)
quietly "${dpkg_here[@]}" --install "$package"
[[ -x $root/usr/bin/shunt ]] || { echo 'the package has no /usr/bin/shunt' && exit 1; }
try_by_make "$root/usr"
# The package has what was tried above, stripped.
quietly cmake --install "$build" --prefix "$scratch/stripped" --strip
quietly diff -r "$scratch/stripped" "$root/usr"
quietly "${dpkg_here[@]}" --purge "$(dpkg-deb --field "$package" Package)"
left=$(find "$root" -not -path "$root/var/lib/dpkg*" -type f)
if [[ -n $left ]]; then
  echo 'the removed package leaves files:'
  echo "$left"
  exit 1
fi
