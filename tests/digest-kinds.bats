#!/usr/bin/env bats
# ctx-digest-files: kinds that a helper program reads

setup() {
	load helpers
	common_setup
	export LC_ALL=C
}

# helped NAME: the test needs this helper.
helped() {
	[ -x "$BUILD/libexec/$1" ] || fail "libexec/$1 was not built"
}

# alone: put a ctx-digest-files without helpers first in PATH.
alone() {
	mkdir bin
	cp "$BUILD/ctx-digest-files" bin/
	PATH=$T/bin:$PATH
}

@test "kinds: workflows, Compose files, manifests and lockfiles in YAML" {
	helped ctx-yaml
	cd "$DATA/kinds"
	exits 0 ctx-digest-files -r --all .
	quiet
	wanted <<-'END'
		[file read] ./.github/workflows/ci.yml (GitHub workflow, 249B, name: Build and test, triggers: push, pull_request, jobs: build, deploy to prod)
		[file read] ./.github/workflows/nightly.yaml (GitHub workflow, 75B, triggers: schedule, workflow_dispatch, jobs: fuzz)
		[file read] ./.gitlab-ci.yml (GitLab CI, 179B, stages: build, test, jobs: compile, unit tests)
		[file read] ./api.yaml (Swagger 2.0, 96B, 2 operations, name: Pet store 1.4, paths: /pets (get post))
		[file read] ./chart.yaml (YAML, 40B, keys: apiVersion, kind)
		[file read] ./deploy.yaml (Kubernetes, 251B, resources: Deployment web, Service web, Pod run-)
		[file read] ./docker-compose.yml (Compose, 271B, name: shop, services: web, db, worker, images: app:1.0, postgres:16, ports: 127.0.0.1:8080:80, 443, 5433:5432)
		[file read] ./pnpm-lock.yaml (pnpm lockfile, 391B, 3 packages, dependencies: a, dev dependencies: @b/c)
	END
	same "$T/out" "$T/want"
	exits 0 ctx-digest-files --lang zh pnpm-lock.yaml .github/workflows/ci.yml
	wrote '[文件已读取] pnpm-lock.yaml (pnpm锁文件, 391B, 3个包, 依赖: a, 开发依赖: @b/c)' \
	    '[文件已读取] .github/workflows/ci.yml (GitHub工作流, 249B, 名称: Build and test, 触发条件: push, pull_request, 作业: build, deploy to prod)'
}

@test "kinds: without the helper, YAML has its keys" {
	alone
	cp "$DATA/kinds/docker-compose.yml" .
	exits 0 ctx-digest-files docker-compose.yml
	quiet
	wrote '[file read] docker-compose.yml (YAML, 271B, keys: name, x-base, services)'
}

@test "kinds: hostile YAML ends in time and memory, and the next file is read" {
	local i

	helped ctx-yaml
	# aliases of aliases
	{
		echo 'a0: &a0 [x,x,x,x,x,x,x,x,x,x]'
		for i in 1 2 3 4 5 6 7 8 9; do
			printf 'a%d: &a%d [' $i $i
			printf '*a%d,' $((i - 1)){,,,,,,,,,}
			echo ']'
		done
		echo 'services: {web: {image: x}}'
	} >docker-compose.yml
	printf 'a: &a [*a]\nservices: {w: *none}\n' >compose.yml
	{
		printf 'services: '
		head -c 100000 /dev/zero | tr '\0' '['
	} >docker-compose.deep.yml
	printf 'services:\n  ? {a: b}\n  : {image: x}\n' >docker-compose.key.yml
	printf 'services:\n  web:\n    image: i\n' >docker-compose.ok.yml
	exits 0 timeout "$DEADLINE" ctx-digest-files docker-compose.yml \
	    compose.yml docker-compose.deep.yml docker-compose.key.yml \
	    docker-compose.ok.yml
	quiet
	sed 's/^[^(]*(\([^,]*\),.*/\1/' out >kinds
	printf '%s\n' YAML YAML YAML YAML Compose >want
	same kinds want
}
