# ralph in zsh: eval "$(ralph completion zsh)" in ~/.zshrc, behind compinit
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
_ralph() {
  local line value files=0
  local -a found
  for line in "${(@f)$("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    case $line in
      :files) files=1 ;;
      ?*)
        value=${line%%$'\t'*}
        found+=("${value//:/\\:}:${line#*$'\t'}")
        ;;
    esac
  done
  (( $#found )) && _describe 'ralph' found
  (( files )) && _files
}
compdef _ralph ralph ralph-reflexion
