#!/bin/bash
# function commented() { :; }
set -eu

build() {
	cat <<-EOF
	fake() { not a function; }
	EOF
	echo "unset() {"
}

function push_image {
	echo 'also_fake() {
other_fake() {'
}

clean-up () { rm -rf "${1#./}"; }
