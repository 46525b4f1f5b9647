# Completion for the ctx commands, installed under each one's name.  Everything
# comes from the command's own table, which --help=options prints (see ctx(7)).

# Print the values of an option, from the argument and the words in its row.
function __ctx_value --argument-names arg values
    switch $values
        case '@*'
            set -l list (string split ' ' -- (string sub -s 2 -- $values))
            $list 2>/dev/null | string replace -r ' .*' ''
        case -
            if contains -- $arg FILE DIR
                __fish_complete_path (commandline -ct)
            end
        case '*'
            string split ' ' -- $values
    end
end

function __ctx_complete --argument-names cmd
    set -l tab (printf '\t')
    set -l cur (commandline -ct)
    set -l given (commandline -opc)[2..]
    set -l sub ($cmd --help=options 2>/dev/null |
        string match -r "^command$tab.*" | string split -f 2 -- $tab)
    set -l db
    set -l path
    set -l rest
    set -l run $cmd
    # find the subcommand, of one word or two: "load", "memory put"
    set -l i 1
    while test $i -le (count $given)
        set -l word $given[$i]
        set i (math $i + 1)
        if contains -- "$word" --db --user
            set -a db $word $given[$i]
            set i (math $i + 1)
            continue
        end
        set -l line (string trim -- "$path $word")
        if string match -qr -- "^$(string escape --style=regex -- $line)( |\$)" $sub
            set path $line
            set rest
        else
            set rest $rest $word
        end
    end
    contains -- "$path" $sub
    and set run $cmd (string split ' ' -- $path)
    set -l usage
    set -l operands 0
    set -l skip
    set -l rows ($run --help=options 2>/dev/null)
    for word in $rest
        if test -n "$skip"
            set skip
        else if test "$word" = -; or not string match -q -- '-*' $word
            set operands (math $operands + 1)
        else
            for row in $rows
                set -l f (string split $tab -- $row)
                test "$f[1]" = option
                and contains -- $word $f[2] $f[3]
                and not string match -qr '^(-$|=)' -- $f[4]
                and set skip $f[4] $f[5]
            end
        end
    end
    if test -n "$skip"
        __ctx_value $skip
        return
    end
    for row in $rows
        set -l f (string split $tab -- $row)
        test "$f[1]" = usage
        and set usage $f[2]
        test "$f[1]" = option
        or continue
        if string match -q -- "$f[3]=*" $cur
            for word in (__ctx_value (string trim -l -c = -- $f[4]) $f[5])
                echo "$f[3]=$word"
            end
        else if string match -q -- '-*' $cur
            echo $f[3]$tab$f[9]
            test "$f[2]" != -
            and echo $f[2]$tab$f[9]
        end
    end
    string match -q -- '-*' $cur
    and return
    if test -n "$sub"; and not contains -- "$path" $sub
        for word in $sub
            if test -z "$path"
                string replace -r ' .*' '' -- $word
            else if string match -q -- "$path *" $word
                string replace -- "$path " '' $word
            end
        end | sort -u
    else if test $operands -eq 0; and string match -qr ' \[?THREAD' -- $usage
        $cmd $db threads --as names 2>/dev/null
    else
        __fish_complete_path $cur
    end
end

set -l cmd (basename (status filename) .fish)
complete -c $cmd -f -a "(__ctx_complete $cmd)"
