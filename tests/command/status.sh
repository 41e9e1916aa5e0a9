# status.sh N CALL…: succeeds where the call's exit status is N.
expected=$1
shift
"$@"
actual=$?
[[ $actual -eq $expected ]] && exit 0
echo "exit status $actual, expected $expected: $*" >&2
exit 1
