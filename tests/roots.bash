# shellcheck shell=bash disable=SC2154
# Bare roots of distributions, for tests that need a machine on which nothing is
# installed (tests/fresh, tests/packages).  Needs root, debootstrap, unshare and apt.
# $dir is the folder that keeps them; `say` prints a message.

# use_mirror [URL]: set $mirror to this mirror of Debian, or to apt's own; 1 if there
# is none.  Ubuntu is searched for next to it.
use_mirror() {
	local proxy

	mirror=${1:-}
	# shellcheck disable=SC2016
	[ -n "$mirror" ] || mirror=$(apt-get indextargets \
	    --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
	    sed -n 's/^Debian //p' | head -n 1)
	mirror=${mirror%/}
	proxy=$(apt-config dump --format '%v%n' Acquire::http::Proxy)
	[ -z "$proxy" ] || export http_proxy="$proxy"
	[ -n "$mirror" ]
}

# keyring FAMILY: the keys that sign it.  Debian has a package with Ubuntu's.
keyring() {
	local of=/usr/share/keyrings/$1-archive-keyring.gpg root=$dir/debian-13

	if [ ! -e "$of" ] && [ "$1" = ubuntu ] && [ -e "$root.done" ]; then
		# in a copy, so that the bare root is unchanged
		cp -a --reflink=auto "$root" "$dir/keys"
		inside "$dir/keys" sh -c 'apt-get -q update &&
		    apt-get -q -y install ubuntu-keyring' >"$dir/keys.log" 2>&1
		cp -L "$dir/keys$of" "$dir/ubuntu.gpg"
		rm -rf "$dir/keys"
		of=$dir/ubuntu.gpg
	fi
	[ -e "$of" ] && echo "$of"
}

# bare NAME FAMILY SUITE ARCH: make its root, once; 1 if that is impossible.
bare() {
	local at=$mirror root=$dir/$1 script=sid ring arch components=main

	[ ! -e "$root.done" ] || return 0
	if [ "$2" = ubuntu ]; then
		at=${mirror%/*}/ubuntu script=gutsy components=main,universe
	fi
	arch=${4:-$(dpkg --print-architecture)}
	ring=$(keyring "$2") || { say "no keys of $2"; return 1; }
	/usr/lib/apt/apt-helper download-file "$at/dists/$3/Release" \
	    "$dir/release" >/dev/null 2>&1 ||
	    { say "$1: its archive is not reached"; return 1; }
	say "$1: making its bare root"
	rm -rf "$root"
	debootstrap --variant=minbase --arch="$arch" --keyring="$ring" \
	    --components="$components" "$3" "$root" "$at" "/usr/share/debootstrap/scripts/$script" \
	    >"$root.log" 2>&1 || { tail -n 3 "$root.log" >&2; return 1; }
	apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-)' \
	    >"$root/etc/apt/apt.conf.d/99here" || :
	touch "$root.done"
}

# inside ROOT COMMAND...: run it with the folders of a running machine; neither
# mounts nor processes remain afterwards.
inside() {
	local root=$1

	shift
	cp -L /etc/resolv.conf "$root/etc/resolv.conf"
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc"
		mkdir -p "$root/dev/pts" "$root/dev/shm"
		mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
		mount --bind "$root/dev/pts/ptmx" "$root/dev/ptmx"
		mount -t tmpfs tmpfs "$root/dev/shm"
		# not exec: timeout of coreutils 9.10 fails without a parent
		env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		    HOME=/root chroot "$root" "$@"
		exit $?' sh "$root" "$@"
}
