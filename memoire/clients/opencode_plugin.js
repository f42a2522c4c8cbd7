// What memoire reports and hears in OpenCode. Written by `memoire init`, taken away by `memoire uninstall`.
// Whatever happens to memoire, OpenCode goes on: no call here throws, and none waits for longer than LIMIT_MS.
import { spawn } from "node:child_process"

const LIMIT_MS = 1000

const report = (cwd, fields) =>
  new Promise((resolve) => {
    const chunks = []
    let timer
    const finish = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()).hookSpecificOutput.additionalContext ?? "")
      } catch {
        resolve("") // it has nothing to say
      }
    }
    try {
      const child = spawn("memoire", ["hook", "opencode"], { cwd, stdio: ["pipe", "pipe", "ignore"] })
      timer = setTimeout(finish, LIMIT_MS)
      child.on("error", finish)
      child.on("close", finish)
      child.stdout.on("data", (chunk) => chunks.push(chunk))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(fields))
    } catch {
      finish()
    }
  })

export const Memoire = async ({ directory }) => {
  const told = new Map() // session -> what it was told at its start
  const briefings = new Map() // call -> what the model hears beside its result
  const say = (event, session, more) =>
    report(directory, { hook_event_name: event, cwd: directory, session_id: session, ...more })
  const start = (session, source) => {
    if (!told.has(session)) told.set(session, say("SessionStart", session, { source }))
    return told.get(session)
  }
  const use = (input, args) => ({ tool_name: input.tool, tool_use_id: input.callID, tool_input: args })

  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.created" && !event.properties?.info?.parentID) start(session, "startup")
      else if (event.type === "session.compacted") {
        say("PreCompact", session, { trigger: "auto" })
        told.set(session, say("SessionStart", session, { source: "compact" }))
      } else if (event.type === "session.idle") say("Stop", session, {})
      else if (event.type === "session.deleted") say("SessionEnd", session, { reason: "deleted" })
    },
    "chat.message": async (input, output) => {
      start(input.sessionID, "resume")
      const prompt = output.parts.filter((part) => part.type === "text").map((part) => part.text).join("\n")
      say("UserPromptSubmit", input.sessionID, { prompt })
    },
    "experimental.chat.system.transform": async (input, output) => {
      const context = await told.get(input.sessionID)
      if (context) output.system.push(context)
    },
    "tool.execute.before": async (input, output) => {
      briefings.set(input.callID, say("PreToolUse", input.sessionID, use(input, output.args)))
    },
    "tool.execute.after": async (input, output) => {
      const briefing = await briefings.get(input.callID)
      briefings.delete(input.callID)
      const printed = typeof output?.output === "string" ? output.output.slice(0, 100_000) : ""
      const response = { output: input.tool === "bash" ? printed : "", exit: output?.metadata?.exit }
      say("PostToolUse", input.sessionID, { ...use(input, input.args), tool_response: response })
      if (briefing && typeof output?.output === "string") output.output += `\n\n${briefing}`
    },
  }
}
