# A job array on a slurmctld and two slurmd of ours, on this machine, with a munged of
# ours; settings, keys and state are in a temporary folder.

setup() {
	BATS_TEST_DIRNAME=${BATS_TEST_DIRNAME%/engines}
	load helpers
	load scale
	common_setup
	PATH=$PATH:/usr/sbin
	needs munged slurmctld slurmd sbatch
	[ "$(id -u)" -eq 0 ] || skip "slurmd needs root"
	mkdir "$T/slurm"
	kitchen
	recipe Slurm 1 >job.sh
	recipe Slurm 2 >recipe
	dying 3 wait
	cluster
}

teardown() {
	scancel -u root 2>/dev/null || :
	# steps are not children of slurmd
	slay "${DAEMON[@]}" $(pids_of "$T/")
}

# pids_of TEXT: the processes whose arguments or settings name it.
pids_of() {
	ps -A -o pid= -o args= | awk -v t="$1" '
		index($0, t) && !/awk -v t=/ { print $1 }'
}

# start NAME COMMAND...: a daemon, whose id is DAEMON[NAME].
start() {
	local name=$1

	shift
	"$@" >"$T/slurm/$name.out" 2>&1 3>&- &
	DAEMON[$name]=$!
}

cluster() {
	local s=$T/slurm host i

	declare -gA DAEMON
	host=$(uname -n)
	mkdir "$s/state" "$s/spool-n1" "$s/spool-n2"
	head -c 128 /dev/urandom >"$s/key"
	chmod 600 "$s/key"
	cat >"$s/slurm.conf" <<-END
	ClusterName=test
	SlurmctldHost=$host(127.0.0.1)
	SlurmctldPort=$(free_port 127.0.0.1)
	AuthType=auth/munge
	AuthInfo=socket=$s/munge,cred_expire=5
	SlurmUser=root
	SlurmdUser=root
	StateSaveLocation=$s/state
	SlurmdSpoolDir=$s/spool-%n
	SlurmctldPidFile=$s/slurmctld.pid
	SlurmdPidFile=$s/%n.pid
	SlurmctldLogFile=$s/slurmctld.log
	SlurmdLogFile=$s/%n.log
	ProctrackType=proctrack/pgid
	TaskPlugin=task/none
	SchedulerType=sched/builtin
	SelectType=select/cons_tres
	SelectTypeParameters=CR_Core
	ReturnToService=2
	SlurmdTimeout=5
	SlurmdParameters=config_overrides
	NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port 127.0.0.1) CPUs=2
	NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port 127.0.0.1) CPUs=2
	PartitionName=all Nodes=n1,n2 Default=YES State=UP
	END
	export SLURM_CONF=$s/slurm.conf
	# munged wants no group that others are in to write to the folders above
	start munged munged --foreground --force --socket="$s/munge" \
	    --key-file="$s/key" --log-file="$s/munge.log" \
	    --pid-file="$s/munge.pid" --seed-file="$s/munge.seed"
	until_true [ -S "$s/munge" ]
	start ctld slurmctld -D
	for i in 1 2; do start n$i slurmd -D -N n$i; done
	until_true idle
}

idle() { [ "$(sinfo -h -o '%D %t' 2>/dev/null)" = '2 idle' ]; }
over() { [ -z "$(squeue -h)" ]; }

# above PID: print it and its ancestors, but not 1.
above() {
	local p=$1

	while [ "$p" -gt 1 ]; do
		echo "$p"
		p=$(($(ps -o ppid= -p "$p")))
	done
}

@test "slurm: a node dies; the task is queued again, and done by the other one" {
	exits 0 sh recipe
	PATIENCE=60 until_true [ -e "$T/working" ]
	missing 3
	read -r _ pid <"$T/working"
	above "$pid" >step
	ps -o args= -p "$(tail -n 1 step)" | grep slurmstepd ||
	    fail "the worker is not a step's: $(ps -o args= -p "$(tail -n 1 step)")"
	n=$(squeue -h -t R -o %N)
	slay "${DAEMON[$n]}" "$(tail -n 1 step)"
	PATIENCE=120 until_true over
	scontrol show node "$n" >node
	has 'State=DOWN' node
	complete
	has "requeue job JobId=[0-9_()]* due to failure of node $n" \
	    "$T/slurm/slurmctld.log"
	# and once more, nothing
	rm log.jsonl all.jsonl
	exits 0 sh recipe
	PATIENCE=60 until_true over
	lacks . slurm-*.out
}
