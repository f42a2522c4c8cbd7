# memoire: keeps the commands that are run in a project, for its memory. In ~/.bashrc, after everything else:
#     eval "$(memoire hook bash)"
# Bash 3.2 and newer; durations from 5.0 on. Nothing is recorded of a command that begins with a space, that HISTCONTROL
# or HISTIGNORE keep out of the history, or while MEMOIRE_PRIVATE is set (and not 0).
#
# No process is started for a prompt from 5.1 on (Linux): each would cost 1 ms. Whether a command ran is known from PS0
# (4.4), whether it is in the history from the number that `\!` gives (5.1), its text from `history 1`, which without a
# process can only be written to a file: to the record's own, which is complete only when it ends in RS LF.
# Builtins are called by `\builtin`, so that no alias or function of the user takes their place.

if [[ $- == *i* && ${__memoire_pid-} != "$$" ]]; then
    __memoire_pid=$$
    __memoire_spool= __memoire_local= __memoire_looked= __memoire_cwd= __memoire_wait=0
    __memoire_base= __memoire_text= __memoire_text_last= __memoire_file= __memoire_count=0 __memoire_umask=
    __memoire_ran= __memoire_start= __memoire_private= __memoire_mode=prompt __memoire_epoch= __memoire_void=void
    __memoire_last=
    # No `!`: in POSIX mode it is the number of the command.
    if ((BASH_VERSINFO[0] >= 5)); then
        __memoire_ps0='${__memoire_void:__memoire_ran=1,__memoire_start=10#0${EPOCHREALTIME//[^0-9]/},0:0}'
    elif ((BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] >= 4)); then
        __memoire_ps0='${__memoire_void:__memoire_ran=1,0:0}'
    else
        __memoire_ps0=
    fi
    __memoire_counts=
    ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)) || __memoire_counts=1
    # `&& :` keeps the status and keeps `set -e` from ending the shell by it; `for` takes the user's last simple command
    # before ours are in BASH_COMMAND.
    __memoire_first='for __memoire_last in "$BASH_COMMAND"; do __memoire_prompt && :; done'
    __memoire_ready='__memoire_ready && :'

    # Sets m_now: microseconds since the epoch; before bash 5 in whole seconds, from the shell's own count.
    __memoire_clock() {
        if ((BASH_VERSINFO[0] >= 5)); then
            m_now=${EPOCHREALTIME-}
            m_now=${m_now//[!0-9]/}
        else
            [[ -n $__memoire_epoch ]] || __memoire_epoch=$(($(\command date +%s) - SECONDS))
            m_now=$((__memoire_epoch + SECONDS))000000
        fi
    }

    # Finds the project of the working directory. Sets __memoire_cwd (its real path), __memoire_spool (empty: none) and
    # __memoire_local.
    __memoire_find() {
        \local m_dir="" m_state=""
        __memoire_looked=$PWD __memoire_spool= __memoire_local= __memoire_wait=4 __memoire_cwd=$PWD
        m_dir=$PWD
        while [[ -n $m_dir ]]; do
            if [[ -L $m_dir || $m_dir != /* ]]; then
                m_dir=$(\builtin pwd -P 2>/dev/null && \builtin printf x)
                m_dir=${m_dir%?x}
                __memoire_cwd=${m_dir:-$PWD}
                break
            fi
            m_dir=${m_dir%/*}
        done
        m_dir=${__memoire_cwd%/}
        while :; do
            if [[ -d $m_dir/.memoire && ! -L $m_dir/.memoire ]]; then
                __memoire_local=$m_dir/.memoire/local
                break
            fi
            [[ -z $m_dir || -e $m_dir/.git || -L $m_dir/.git ]] && \return 0
            m_dir=${m_dir%/*}
        done
        # A clone could bring any line: only a folder of ours, directly where memoire keeps them, is written to.
        [[ -f $__memoire_local && ! -L $__memoire_local && -r $__memoire_local && -n ${HOME-} ]] || \return 0
        IFS= \builtin read -r -n 4096 m_state 2>/dev/null <"$__memoire_local"
        [[ $m_state == /?* && $m_state/ != */../* && -d $m_state && ! -L $m_state && -O $m_state ]] || \return 0
        [[ ${m_state%/*} -ef $HOME/.local/state/memoire ]] || \return 0
        m_state=$m_state/spool
        [[ -e $m_state ]] || m_dir=$(\builtin umask 077 && \command mkdir -- "$m_state" 2>&1) # `( )` would be a job
        [[ -d $m_state && ! -L $m_state && -O $m_state ]] && __memoire_spool=$m_state
        \return 0
    }

    # Makes new files private until __memoire_open. The mask is asked of the kernel where it tells (Linux 4.7): the builtin
    # can only print it, and taking that in needs a process.
    __memoire_close() {
        \local m_line=""
        __memoire_umask=
        if [[ -r /proc/self/status ]]; then
            { \builtin read -r m_line && \builtin read -r m_line; } </proc/self/status
            [[ $m_line != Umask:* ]] || __memoire_umask=${m_line//[!0-7]/}
        fi
        [[ -n $__memoire_umask ]] || __memoire_umask=$(\builtin umask)
        \builtin umask 077
    }

    __memoire_open() {
        [[ -z $__memoire_umask ]] || \builtin umask "$__memoire_umask"
        __memoire_umask=
    }

    # Sets __memoire_file, the name of the record of this prompt.
    __memoire_name() {
        [[ -z $__memoire_file ]] || \return 0
        __memoire_count=$((__memoire_count + 1))
        __memoire_file=$__memoire_spool/$m_now-$$-$__memoire_count.bash
    }

    # Sets m_number and m_text from the last entry of the history.
    __memoire_last_entry() {
        \local m_entry=""
        m_number= m_text=
        if [[ -n $__memoire_counts ]]; then
            __memoire_name
            HISTTIMEFORMAT= \builtin history 1 >|"$__memoire_file" || \return 0
            IFS= \builtin read -r -d '' m_entry <"$__memoire_file"
            m_entry=${m_entry%$'\n'}
        else
            m_entry=$(HISTTIMEFORMAT= \builtin history 1)
        fi
        while [[ $m_entry == ' '* ]]; do m_entry=${m_entry# }; done
        m_number=${m_entry%%[!0-9]*}
        m_text=${m_entry#"$m_number"}
        m_text=${m_text#[* ]}
        m_text=${m_text# }
    }

    # Sets m_text to the command that was just run; to nothing where it is private or cannot be known.
    __memoire_command() {
        [[ -n $__memoire_base ]] || \return 0
        if [[ -n $__memoire_counts ]]; then
            m_number='\!'
            m_number=${m_number@P}
        else
            __memoire_last_entry
        fi
        if ((${m_number:-0} > __memoire_base)); then
            \local "m_lines=$((m_number - __memoire_base))"
            [[ -z $__memoire_counts ]] || __memoire_last_entry
            \builtin shopt -q cmdhist || __memoire_join
            __memoire_text=$m_text __memoire_text_last=$__memoire_last
            \return 0
        fi
        m_text=
        [[ -n $__memoire_text && -n $__memoire_ran && -o history ]] || \return 0
        [[ ${HISTCONTROL-} == *dups* || ${HISTCONTROL-} == *ignoreboth* ]] || \return 0
        if [[ $HISTCONTROL == *erasedups* ]]; then
            __memoire_last_entry # an older one went: the number says nothing
            if [[ $m_text != "$__memoire_text" ]]; then
                __memoire_text=$m_text __memoire_text_last=$__memoire_last
                \return 0
            fi
            m_text=
        fi
        # The same command again is not in the history a second time: told from a private one by what was run last.
        [[ ${PROMPT_COMMAND-} == "$__memoire_first"* ]] || \return 0
        if [[ $__memoire_text == "$__memoire_last" ]]; then
            m_text=$__memoire_text
        elif [[ -z ${HISTIGNORE-} && $__memoire_text_last == "$__memoire_last" ]]; then
            m_text=$__memoire_text
        fi
    }

    # Without cmdhist, each line of a command is an entry of its own.
    __memoire_join() {
        ((m_lines > 1 && m_lines <= 1000)) || \return 0
        \local m_line=""
        m_text=
        HISTTIMEFORMAT= \builtin history "$m_lines" >|"$__memoire_file"
        while IFS= \builtin read -r m_line; do
            while [[ $m_line == ' '* ]]; do m_line=${m_line# }; done
            m_line=${m_line#"${m_line%%[!0-9]*}"}
            m_line=${m_line#[* ]}
            m_text=${m_text:+$m_text$'\n'}${m_line# }
        done <"$__memoire_file"
    }

    # Writes m_text as a record; leaves no file where there is none to write.
    __memoire_write() {
        \local "m_cwd=$__memoire_cwd" m_took=""
        case $m_text in
            '' | [[:space:]]* | '#'* | MEMOIRE_PRIVATE=*)
                # Rare: it is in the history, and not to be recorded.
                [[ -z $__memoire_file || ! -f $__memoire_file ]] || m_took=$(\command rm -f -- "$__memoire_file")
                \return 0
                ;;
        esac
        __memoire_name
        [[ $m_text != *[$'\x1e\x1f']* ]] || m_text=${m_text//[$'\x1e\x1f']/ }
        [[ $m_cwd != *[$'\x1e\x1f']* ]] || m_cwd=
        [[ -z $m_start ]] || m_took=$((m_now - m_start))
        [[ -z $m_took ]] || ((m_took >= 0)) || m_took=0
        if ! \builtin printf '1\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1e\n' \
            "$m_start" "$m_took" "$m_status" "$m_cwd" "$m_text" >|"$__memoire_file"; then
            [[ ! -f $__memoire_file ]] || m_took=$(\command rm -f -- "$__memoire_file")
        fi
    }

    # Records the command that ended, if it is to be; of the caller: m_status, m_start, m_text (where it is known).
    __memoire_record() {
        \local m_now=""
        [[ -z ${MEMOIRE_PRIVATE-} || $MEMOIRE_PRIVATE == 0 ]] || __memoire_private=1
        if [[ -n $__memoire_spool && -z $__memoire_private && -f $__memoire_local && -d $__memoire_spool ]]; then
            __memoire_file=
            __memoire_clock
            __memoire_close
            [[ -n $m_text ]] || __memoire_command
            __memoire_write
            __memoire_open
        fi
        \return 0
    }

    # Before the prompt, first of all hooks.
    __memoire_prompt() {
        \local "m_status=$?" "m_start=$__memoire_start" m_text="" m_number=""
        if [[ $- == *x* ]] && ((BASH_VERSINFO[0] >= 5)); then { \local -; \builtin set +x; } 2>/dev/null; fi
        [[ -z $__memoire_umask ]] || __memoire_open # the last prompt was interrupted
        if ((BASH_SUBSHELL == 0)); then
            if [[ -n $__memoire_ran || -z $__memoire_ps0 ]]; then __memoire_record 2>/dev/null; fi
            __memoire_ran= __memoire_start=
            __memoire_hook
            __memoire_prepare 2>/dev/null
            __memoire_number
        fi
        \return "$m_status"
    }

    # Before the prompt, last of all hooks, where one of them reads what other shells added to the history.
    __memoire_ready() {
        \local "m_status=$?" m_number="" m_text=""
        if ((BASH_SUBSHELL == 0)); then __memoire_number; fi
        \return "$m_status"
    }

    # Sets __memoire_base, the number of the last entry of the history before the next command.
    __memoire_number() {
        if [[ -z $__memoire_counts ]]; then
            [[ -z $__memoire_spool || -n $m_number ]] || __memoire_last_entry
            __memoire_base=
            [[ -z $__memoire_spool ]] || __memoire_base=${m_number:-0}
            \return 0
        fi
        __memoire_base='\!'
        __memoire_base=${__memoire_base@P}
        # One entry and none have the same number.
        [[ $__memoire_base != 1 || -n $(\builtin history 1) ]] || __memoire_base=0
        \return 0
    }

    __memoire_prepare() {
        __memoire_private=
        [[ -z ${MEMOIRE_PRIVATE-} || $MEMOIRE_PRIVATE == 0 ]] || __memoire_private=1
        if [[ $PWD != "$__memoire_looked" ]]; then
            __memoire_find
        elif [[ -z $__memoire_spool || ! -f $__memoire_local || ! -d $__memoire_spool ]]; then
            __memoire_wait=$((__memoire_wait - 1))
            ((__memoire_wait > 0)) || __memoire_find
        fi
        \return 0
    }

    # With bash-preexec and ble.sh, which know the text.
    __memoire_preexec() {
        __memoire_ran=1 __memoire_text=${1-} __memoire_start=
        ((BASH_VERSINFO[0] < 5)) || __memoire_start=${EPOCHREALTIME//[!0-9]/}
        [[ -n ${HISTIGNORE-} ]] || \return 0
        # bash-preexec takes the last entry of the history, whatever is run.
        if [[ $__memoire_mode == preexec && $__memoire_text != *"${BASH_COMMAND%%$'\n'*}"* ]]; then __memoire_text=; fi
        \local "m_rest=$HISTIGNORE:" m_pattern=""
        while [[ -n $m_rest ]]; do
            m_pattern=${m_rest%%:*}
            m_rest=${m_rest#*:}
            if [[ -n $m_pattern && $__memoire_text == $m_pattern ]]; then __memoire_text=; fi
        done
        \return 0
    }

    __memoire_precmd() {
        \local "m_status=$?" "m_start=$__memoire_start" "m_text=$__memoire_text"
        [[ -z $__memoire_umask ]] || __memoire_open
        if [[ -n $__memoire_ran && -n $m_text ]]; then __memoire_record 2>/dev/null; fi
        __memoire_ran= __memoire_start= __memoire_text=
        __memoire_prepare 2>/dev/null
        \return "$m_status"
    }

    # Puts the hooks in their place, and back there: what was loaded later may have taken it.
    __memoire_hook() {
        \local m_at=""
        [[ $__memoire_mode == prompt ]] || \return 0
        if [[ -n ${bash_preexec_imported-}${__bp_imported-}${BLE_VERSION-} ]]; then
            __memoire_mode=preexec
            for m_at in "${!PROMPT_COMMAND[@]}"; do
                if [[ ${PROMPT_COMMAND[m_at]} == "$__memoire_first" || ${PROMPT_COMMAND[m_at]} == "$__memoire_ready" ]]; then
                    \builtin unset "PROMPT_COMMAND[m_at]"
                    \continue
                fi
                PROMPT_COMMAND[m_at]=${PROMPT_COMMAND[m_at]//"$__memoire_first"/:}
                PROMPT_COMMAND[m_at]=${PROMPT_COMMAND[m_at]//"$__memoire_ready"/:}
            done
            [[ -z $__memoire_ps0 || -z ${PS0-} ]] || PS0=${PS0//"$__memoire_ps0"/}
            if [[ -n ${BLE_VERSION-} ]]; then
                __memoire_mode=ble
                blehook PREEXEC+=__memoire_preexec
                blehook PRECMD+=__memoire_precmd
            else
                preexec_functions+=(__memoire_preexec)
                precmd_functions+=(__memoire_precmd)
            fi
            \return 0
        fi
        __memoire_hook_prompt
        [[ -n $__memoire_ps0 ]] || \return 0
        if ! \builtin shopt -q promptvars; then
            PS0=${PS0-} PS0=${PS0//"$__memoire_ps0"/} # it would be shown, not evaluated
            __memoire_ran=1
        elif [[ ${PS0-} != *"$__memoire_ps0"* ]]; then
            PS0=${PS0-}$__memoire_ps0
        fi
        \return 0
    }

    # From 5.1 on PROMPT_COMMAND may be an array, and each hook of it sees the status and PIPESTATUS of the command.
    # Nothing of ours is run after the hooks of others without need: a DEBUG trap that times commands would start there.
    __memoire_hook_prompt() {
        \local m_at="" "m_all=${PROMPT_COMMAND[*]-}" m_last=""
        [[ $m_all != *history* ]] || m_last=$__memoire_ready
        if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
            if [[ $m_all != *"$__memoire_first"* ]]; then
                PROMPT_COMMAND=("$__memoire_first" ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
            fi
            [[ -n $m_last && $m_all != *"$m_last" ]] || \return 0
            for m_at in "${!PROMPT_COMMAND[@]}"; do
                [[ ${PROMPT_COMMAND[m_at]} != "$m_last" ]] || \builtin unset "PROMPT_COMMAND[m_at]"
            done
            PROMPT_COMMAND+=("$m_last")
            \return 0
        fi
        [[ $m_all != *"$__memoire_first"*"$m_last" ]] || \return 0
        m_all=${m_all//"$__memoire_first"/:}
        m_all=${m_all//"$__memoire_ready"/:}
        PROMPT_COMMAND=$__memoire_first${m_all:+$'\n'$m_all}${m_last:+$'\n'$m_last}
    }

    # Where these cannot be changed there is no place for a hook; trying would end the file that reads this.
    if __memoire_last=$(PROMPT_COMMAND=${PROMPT_COMMAND-} PS0=${PS0-}) 2>/dev/null; then __memoire_hook; fi
fi
