import type { Client } from '@modelcontextprotocol/client';

/** The text of a result's blocks. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export const textOf = (result: any): string => result.content.map((block: any) => block.text).join('\n');

/** The code of a result's first error. */
// biome-ignore lint/suspicious/noExplicitAny: tests look at members that may be missing
export const codeOf = (result: any): string | undefined => result.structuredContent?.errors?.[0]?.code;

/** What the server process of a client over stdio has written to its log since this was asked. */
export function logOf(client: Client): () => string {
  let text = '';
  const { transport } = client as unknown as { transport: { stderr: NodeJS.ReadableStream } };
  transport.stderr.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  return () => text;
}

/**
 * The progress that reaches a client for its calls from now on that have `onprogress`. The client's own `onprogress` does
 * not hear (2.4.0) of what is read together with the call's result, as happens on a machine that is busy.
 */
export function progressOf(client: Client): object[] {
  const seen: object[] = [];
  const tokens = new Set<unknown>();
  const transport = client.transport!;
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('method' in message) tokens.add(message.params?._meta?.progressToken);
    return send(message, options);
  };
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/progress') {
      const { progressToken, ...progress } = message.params as { progressToken: unknown };
      if (tokens.has(progressToken)) seen.push(progress);
    }
    onmessage?.(message, extra);
  };
  return seen;
}

/** The results that reach a client from now on, with the members that its SDK leaves out. */
export function resultsOf(client: Client): Record<string, unknown>[] {
  const seen: Record<string, unknown>[] = [];
  const transport = client.transport!;
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    if ('result' in message) seen.push(message.result as Record<string, unknown>);
    onmessage?.(message, extra);
  };
  return seen;
}

export interface PluginReport {
  name: string;
  kind: string;
  path: string;
  state: string;
  tools: string[];
  problems: { code: string; severity: string; message: string; hint: string; location: { subject?: string } }[];
}

/** What `mortise://plugins` shows. */
export async function pluginsOf(client: Client): Promise<PluginReport[]> {
  const { contents } = await client.readResource({ uri: 'mortise://plugins' });
  return JSON.parse((contents as { text: string }[])[0]!.text);
}
