import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import { messageOf, RalphError } from '../errors.ts';
import { renderProblems, validatorOfSchema } from '../schema/validate.ts';
import { printable, printableJson } from '../platform/text/printable.ts';
import { redact, redactValue } from '../platform/redaction/redact.ts';
import { createTurns, type Turns } from './in-turn.ts';
import { openProgress } from './progress.ts';
import { promptText, PROMPTS } from './prompts.ts';
import { readResource, RESOURCE_TEMPLATES, RESOURCES } from './resources.ts';
import type { McpServices } from './services.ts';
import { ToolRefusal, type McpTool } from './tool.ts';
import { TOOLS } from './tools.ts';

/**
 * Creates a Model Context Protocol server (specification 2025-11-25) for ralph's memory: tools, resources and prompts
 * over `services`. Read-only unless `services` allows more. A failed call is an error answer; it never ends the server.
 */
export function createMcpServer(services: McpServices, turns: Turns = createTurns()): Server {
  const server = new Server(
    { name: 'ralph', title: "ralph's memory", version: services.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} } },
  );
  const tools = TOOLS.map((tool) => ({ tool, problemsOf: validatorOfSchema(tool.inputSchema) }));

  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.filter(({ off }) => off(services) === undefined).map(describeTool),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const known = tools.find(({ tool }) => tool.name === params.name);
    if (known === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no tool ${short(params.name)}.`);
    const off = known.tool.off(services);
    if (off !== undefined) return failed(`${known.tool.name} is turned off: ${off}.`);
    const args = params.arguments ?? {};
    const problems = known.problemsOf(args);
    if (problems.length > 0)
      return failed(`The arguments of ${known.tool.name} are invalid: ${renderProblems(problems)}`);
    const { signal } = extra;
    const { report, stop } = openProgress(extra);
    const run = () => known.tool.run(args as never, { services, signal, report });
    return toToolResult(() => turns.run(run)).finally(stop);
  });

  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [...RESOURCES] }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...RESOURCE_TEMPLATES],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const found = await orProtocolError(() => turns.run(() => readResource(uri, services)));
    if (found === undefined) throw new McpError(-32002, `There is no resource ${short(uri)}.`);
    return { contents: [{ uri, ...found }] };
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: PROMPTS.map((prompt) => ({ ...prompt, arguments: [...prompt.arguments] })),
  }));
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const text = await orProtocolError(() =>
      Promise.resolve(promptText(params.name, params.arguments ?? {})),
    );
    if (text === undefined)
      throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${short(params.name)}.`);
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
  return server;
}

function describeTool({ name, title, description, inputSchema, changesSomething }: McpTool) {
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: { readOnlyHint: !changesSomething, destructiveHint: false, openWorldHint: false },
  };
}

async function toToolResult(run: () => Promise<object | string>): Promise<CallToolResult> {
  try {
    const result = await run();
    // In JSON, control characters are escaped as JSON escapes, so that it stays valid.
    const text = typeof result === 'string' ? printable(result) : printableJson(redactValue(result), 2);
    return { content: [{ type: 'text', text }] };
  } catch (error) {
    return failed(reasonOf(error));
  }
}

/** Runs a request whose answer cannot carry a failure: errors become protocol errors. */
async function orProtocolError<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new McpError(
      error instanceof ToolRefusal ? ErrorCode.InvalidParams : ErrorCode.InternalError,
      reasonOf(error),
    );
  }
}

function failed(reason: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: printable(reason) }] };
}

function reasonOf(error: unknown): string {
  const hint = error instanceof RalphError && error.hint !== undefined ? ` ${error.hint}` : '';
  return redact(`${messageOf(error)}${hint}`).slice(0, 2000);
}

function short(text: string): string {
  return printable(redact(JSON.stringify(text.slice(0, 100))));
}
