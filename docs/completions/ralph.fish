# ralph in fish: ralph completion fish | source, in ~/.config/fish/config.fish
function __ralph_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
        if test "$line" = ":files"
            __fish_complete_path "$current"
        else
            echo $line
        end
    end
end
for name in ralph ralph-reflexion
    complete --command $name --no-files --arguments '(__ralph_complete)'
end
