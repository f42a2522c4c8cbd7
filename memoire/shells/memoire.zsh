# memoire: keeps the commands that are run in a project, for its memory. In ~/.zshrc, after everything else:
#     eval "$(memoire hook zsh)"
# Zsh 5.3 and newer. Nothing is recorded of a command that begins with a space, that a zshaddhistory function refuses,
# or while MEMOIRE_PRIVATE is set (and not 0). No process is started: the modules are part of zsh.

if [[ -o interactive && ${__memoire_pid-} != $$ ]] &&
    zmodload zsh/datetime zsh/system zsh/parameter 2>/dev/null &&
    zmodload -F zsh/files b:zf_chmod b:zf_mkdir b:zf_rm 2>/dev/null; then
    typeset -g __memoire_pid=$$
    typeset -g __memoire_spool= __memoire_local= __memoire_looked= __memoire_cwd= __memoire_ran= __memoire_held=
    typeset -gi __memoire_wait=0 __memoire_count=0 __memoire_start=0 __memoire_event=0 __memoire_held_event=0

    # Finds the project of the working directory. Sets __memoire_cwd (its real path), __memoire_spool (empty: none) and
    # __memoire_local. Of the caller: options, IFS.
    function __memoire_find {
        local dir state=
        __memoire_looked=$PWD __memoire_cwd=${PWD:A} __memoire_spool= __memoire_local= __memoire_wait=4
        dir=${__memoire_cwd%/}
        while true; do
            if [[ -d $dir/.memoire && ! -h $dir/.memoire ]]; then
                __memoire_local=$dir/.memoire/local
                break
            fi
            [[ -n $dir && ! -e $dir/.git && ! -h $dir/.git ]] || return 0
            dir=${dir%/*}
        done
        # A clone could bring any line: only a folder of ours, directly where memoire keeps them, is written to.
        [[ -f $__memoire_local && ! -h $__memoire_local && -r $__memoire_local && -n ${HOME-} ]] || return 0
        sysread -s 4096 state <$__memoire_local || return 0
        state=${state%%$'\n'*}
        [[ $state == /?* && $state/ != */../* && -d $state && ! -h $state && -O $state ]] || return 0
        [[ ${state%/*} -ef $HOME/.local/state/memoire ]] || return 0
        state=$state/spool
        [[ -e $state ]] || { zf_mkdir -m 700 $state && zf_chmod 700 $state; }
        [[ -d $state && ! -h $state && -O $state ]] && __memoire_spool=$state
        return 0
    }

    # Writes one record: start_us, duration_us, status, working directory, command.
    function __memoire_write {
        local file fd text=$5 cwd=$4
        [[ -d $__memoire_spool ]] || return 0
        text=${text//[$'\x1e\x1f']/ } cwd=${cwd//[$'\x1e\x1f']/ }
        (( __memoire_count += 1 ))
        file=$__memoire_spool/$(( $1 + $2 ))-$$-$__memoire_count.zsh
        sysopen -w -o creat,excl,cloexec -m 600 -u fd $file || return 0
        # The mask may take away even what the owner needs.
        zf_chmod 600 $file
        syswrite -o $fd $'1\x1f'$1$'\x1f'$2$'\x1f'$3$'\x1f'$cwd$'\x1f'$text$'\x1e\n' || zf_rm -f $file
        eval 'exec {fd}>&-' # read here, as a user's options may have no such redirection
    }

    # What is refused by a zshaddhistory function stays in the history until the next line is read, whose number it then
    # has. So where there are such functions, a record is held until then; the last one of a shell is not kept.
    function __memoire_release {
        local -a held
        [[ -n $__memoire_held ]] || return 0
        if (( HISTCMD != __memoire_held_event )); then
            held=("${(@ps:\x1f:)__memoire_held}")
            __memoire_write "${(@)held}"
        fi
        __memoire_held=
    }

    function __memoire_preexec {
        local last="$_"
        () {
            emulate -L zsh -o no_multibyte -o no_err_exit -o no_err_return -o unset -o no_xtrace -o no_verbose
            local IFS=$' \t\n'
            (( ZSH_SUBSHELL == 0 )) || return 0
            __memoire_release
            __memoire_ran=
            [[ -z ${MEMOIRE_PRIVATE-} || $MEMOIRE_PRIVATE == 0 ]] || return 0
            if [[ $PWD != $__memoire_looked ]]; then
                __memoire_find
            elif [[ -z $__memoire_spool || ! -f $__memoire_local || ! -d $__memoire_spool ]]; then
                __memoire_spool=
                (( --__memoire_wait > 0 )) || __memoire_find
            fi
            [[ -n $__memoire_spool ]] || return 0
            # The text is empty where the shell keeps no history.
            case $1 in
                '' | [[:space:]]* | MEMOIRE_PRIVATE=*) return 0 ;;
            esac
            __memoire_ran=$1 __memoire_event=$HISTCMD
            (( __memoire_start = EPOCHREALTIME * 1000000 ))
        } "${1-}" 2>/dev/null
        : "$last"
    }

    function __memoire_precmd {
        local code="$?" last="$_"
        () {
            emulate -L zsh -o no_multibyte -o no_err_exit -o no_err_return -o unset -o no_xtrace -o no_verbose
            local IFS=$' \t\n'
            (( ZSH_SUBSHELL == 0 )) && [[ -n $__memoire_ran ]] || return 0
            integer took
            (( took = EPOCHREALTIME * 1000000 - __memoire_start, took = took < 0 ? 0 : took ))
            if [[ -n ${MEMOIRE_PRIVATE-} && $MEMOIRE_PRIVATE != 0 ]]; then
                :
            elif (( ! ${+functions[zshaddhistory]} && ! ${#zshaddhistory_functions} )); then
                __memoire_write $__memoire_start $took $1 $__memoire_cwd $__memoire_ran
            else
                __memoire_held_event=$__memoire_event
                __memoire_held=$__memoire_start$'\x1f'$took$'\x1f'$1$'\x1f'
                __memoire_held+=${__memoire_cwd//$'\x1f'/ }$'\x1f'${__memoire_ran//$'\x1f'/ }
            fi
            __memoire_ran=
        } "$code" 2>/dev/null
        : "$last"
    }

    function __memoire_hook {
        emulate -L zsh
        typeset -ga preexec_functions precmd_functions
        precmd_functions=(__memoire_precmd $precmd_functions)
        preexec_functions+=(__memoire_preexec)
    }
    __memoire_hook
    unfunction __memoire_hook
fi
