# ralph in bash: eval "$(ralph completion bash)" in ~/.bashrc
_ralph() {
  local line reply
  COMPREPLY=()
  reply=$("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null) || return
  while IFS= read -r line; do
    case $line in
      :files) compopt -o default 2> /dev/null ;;
      ?*) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done <<< "$reply"
}
complete -F _ralph ralph ralph-reflexion
