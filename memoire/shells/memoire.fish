# memoire: keeps the commands that are run in a project, for its memory. In ~/.config/fish/config.fish:
#     memoire hook fish | source
# Fish 3.3 and newer. Nothing is recorded of a command that begins with a space, in private mode, or while
# MEMOIRE_PRIVATE is set (and not 0). No process is started for a prompt. Fish has no clock: on Linux the
# time of day is asked once and then counted with /proc/uptime (10 ms); elsewhere `date` is run for each command.

if status is-interactive; and not functions -q __memoire_postexec
    set -g __memoire_spool ''
    set -g __memoire_local ''
    set -g __memoire_looked ''
    set -g __memoire_cwd ''
    set -g __memoire_wait
    set -g __memoire_above
    set -g __memoire_skip 1
    set -g __memoire_mask ''
    # A record's number within the shell: arithmetic would cost more than all else here.
    set -g __memoire_count 1
    set -g __memoire_next (command seq 2 1000) 1
    # Microseconds of the epoch at which the machine started.
    set -g __memoire_boot ''
    if builtin read -l up rest 2>/dev/null </proc/uptime
        set -l now (command date +%s%6N 2>/dev/null | string match -r '^[0-9]{16}$')
        set -q now[1]; or set now (command date +%s)000000
        set __memoire_boot (math -s0 "$now - $up * 1000000")
    end

    # Finds the project of the working directory. Sets __memoire_cwd (its real path), __memoire_spool (empty: none) and
    # __memoire_local.
    function __memoire_find
        set __memoire_looked $PWD
        set __memoire_spool ''
        set __memoire_local ''
        set __memoire_above
        set __memoire_wait 1 2 3
        set __memoire_cwd (builtin pwd -P 2>/dev/null | string collect)
        test -n "$__memoire_cwd"; or set __memoire_cwd $PWD
        set -l dir (string replace -r '/$' '' -- $__memoire_cwd | string collect)
        while true
            set -a __memoire_above $dir/.memoire
            if test -d "$dir/.memoire" -a ! -L "$dir/.memoire"
                set __memoire_local $dir/.memoire/local
                break
            end
            test -z "$dir" -o -e "$dir/.git" -o -L "$dir/.git"; and return
            set dir (string replace -r '/[^/]*$' '' -- $dir | string collect)
        end
        # A clone could bring any line: only a folder of ours, directly where memoire keeps them, is written to.
        test -f "$__memoire_local" -a ! -L "$__memoire_local" -a -r "$__memoire_local"; or return
        builtin read -l -n 4096 state <$__memoire_local
        string match -qr '^/.' -- $state; and not string match -qr '(^|/)\.\.(/|$)' -- $state; or return
        test -d "$state" -a ! -L "$state" -a -O "$state"; or return
        set -l states (builtin realpath -- "$HOME/.local/state/memoire" 2>/dev/null | string collect)
        set -l above (builtin realpath -- (string replace -r '/[^/]*$' '' -- $state) 2>/dev/null | string collect)
        test -n "$states" -a "$states" = "$above"; or return
        set state $state/spool
        if not test -e "$state"
            __memoire_close
            command mkdir -- $state 2>/dev/null
            __memoire_open
        end
        test -d "$state" -a ! -L "$state" -a -O "$state"; and set __memoire_spool $state
        set __memoire_cwd (string replace -ra '[\x1e\x1f]' ' ' -- $__memoire_cwd | string collect)
    end

    function __memoire_close
        set __memoire_mask $umask
        set -g umask 0077
    end

    function __memoire_open
        test -z "$__memoire_mask"; or set -g umask $__memoire_mask
        set __memoire_mask ''
    end

    function __memoire_private
        set -q fish_private_mode; and return
        test -n "$MEMOIRE_PRIVATE" -a "$MEMOIRE_PRIVATE" != 0
    end

    # Looks again, now and then, whether there is a project by now.
    function __memoire_again
        set __memoire_spool ''
        if set -q __memoire_wait[1]
            set -e __memoire_wait[1]
            return
        end
        set __memoire_wait 1 2 3
        for folder in $__memoire_above
            if test -f "$folder/local"
                __memoire_find
                return
            end
        end
    end

    function __memoire_preexec --on-event fish_preexec
        test -z "$__memoire_mask"; or __memoire_open # the last one was interrupted
        set __memoire_skip 1
        set -q MEMOIRE_PRIVATE; or set -q fish_private_mode; and __memoire_private; and return
        if test "$PWD" != "$__memoire_looked"
            __memoire_find
        else if test -z "$__memoire_spool" -o ! -f "$__memoire_local" -o ! -d "$__memoire_spool"
            __memoire_again
        end
        test -n "$__memoire_spool"; and set __memoire_skip 0
    end

    function __memoire_postexec --on-event fish_postexec
        set -l code $status
        set -l took "$CMD_DURATION"000
        test $__memoire_skip = 0; or return
        set __memoire_skip 1
        set -q MEMOIRE_PRIVATE; or set -q fish_private_mode; and __memoire_private; and return
        # Fish would warn of a redirection that fails, wherever its errors go.
        test -d "$__memoire_spool" -a -w "$__memoire_spool"; or return
        set -l text "$argv[1]"
        if string match -qr '^(\s|#|MEMOIRE_PRIVATE=|$)|[\x1e\x1f]' -- $text
            string match -qr '^(\s|#|MEMOIRE_PRIVATE=|$)' -- $text; and return
            set text (string replace -ra '[\x1e\x1f]' ' ' -- $text | string collect)
        end
        functions -q fish_should_add_to_history; and not fish_should_add_to_history $text; and return
        set -l began ''
        set -l name ''
        if test -n "$__memoire_boot"
            builtin read -l up rest </proc/uptime
            set began (math -s0 "$__memoire_boot + $up * 1000000 - $took")
            set name $began
        else
            set name (command date +%s)000000
        end
        set __memoire_count $__memoire_next[$__memoire_count]
        set -l file $__memoire_spool/$name-$fish_pid-$__memoire_count.fish
        set __memoire_mask $umask
        set -g umask 0077
        builtin printf '1\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1e\n' $began $took $code $__memoire_cwd $text >$file 2>/dev/null
        or command rm -f -- $file
        set -g umask $__memoire_mask
        set __memoire_mask ''
    end
end
