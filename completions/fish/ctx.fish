# Completion for the ctx commands, installed under each one's name.  Options
# and their words come from the command's own --help; see the file for bash.

function __ctx_words --argument-names name text
    switch $name
        case --dialect
            printf '%s\n' openai anthropic openai-responses gemini langchain pydantic-ai claude-code codex sharegpt ai-sdk
        case --from
            printf '%s\n' auto text response openai anthropic openai-responses gemini langchain pydantic-ai claude-code codex sharegpt ai-sdk
        case --to
            printf '%s\n' openai openai-responses anthropic gemini langchain pydantic-ai sharegpt ai-sdk text markdown
        case --encoding
            ctx-count --list-encodings 2>/dev/null | string replace -r ' .*' ''
        case --model
            ctx-count --list-models 2>/dev/null | string replace -r ' .*' ''
        case '*'
            set -l list (string replace -r '.*: ' '' -- $text | string replace -a ' or ' ', ')
            string match -qr '^[a-z0-9]+(, [a-z0-9]+)+$' -- $list
            and string split ', ' -- $list
    end
end

# The words that may follow in a command with commands of its own, of a word or
# two: "load", "ckpt put".
function __ctx_next --argument-names cmd
    set -l sub ($cmd --commands 2>/dev/null | string replace -r '  .*' '')
    set -l path
    for word in (commandline -opc)[2..]
        set -l line (string trim "$path $word")
        string match -qr -- "^$(string escape --style=regex -- $line)( |\$)" $sub
        and set path $line
    end
    for word in $sub
        if test -z "$path"
            string replace -r ' .*' '' -- $word
        else if string match -q -- "$path *" $word
            string replace -- "$path " '' $word
        end
    end | sort -u
end

function __ctx_complete --argument-names cmd
    set -l option '^  (-(?<letter>.), |    )--(?<name>[a-z0-9-]+)(?<suffix>\[=[A-Z]+\])?( (?<arg>[A-Z][^ ]*))?  +(?<text>.*)$'
    set -l sub ($cmd --commands 2>/dev/null | string replace -r '  .*' '')
    set -l seen
    test -n "$sub"
    and complete -c $cmd -n "test -n \"\$(__ctx_next $cmd)\"" -f -a "(__ctx_next $cmd)"
    for which in '' $sub
        set -l run $cmd
        test -n "$which"
        and set run $cmd (string split ' ' -- $which)
        for line in ($run --help 2>/dev/null)
            string match -qr -- $option $line
            or continue
            contains -- $name $seen
            and continue
            set seen $seen $name
            set -l spec -c $cmd -l $name -d $text
            test -n "$letter"
            and set spec $spec -s $letter
            switch "$arg"
                case ''
                    complete $spec
                case FILE DIR
                    complete $spec -r -F
                case '*'
                    complete $spec -x -a "$(__ctx_words --$name $text)"
            end
        end
    end
end

__ctx_complete (basename (status filename) .fish)
