import type { AnyCallResult } from '@mortise/plugin/contract';
import recorded from '../../docs/dotnet/examples.json' with { type: 'json' };
import published from '../cases/published-examples.json' with { type: 'json' };

interface Recorded {
  readonly isError?: boolean;
  readonly text: string;
  readonly structured: Record<string, unknown>;
}

/** The recorded results of the .NET tools, whole and with one half, and the examples of the published contract as text. */
export function recordedResults(): AnyCallResult[] {
  const halves = (recorded as unknown as Recorded[]).flatMap(({ isError, text, structured }): AnyCallResult[] => {
    const flag = isError ? { isError } : {};
    const content = contentOf(text);
    return [
      { content, structuredContent: structured, ...flag },
      { structuredContent: structured, ...flag },
      { content, ...flag },
    ];
  });
  const envelopes = published.cases.flatMap(({ form, example }) =>
    form === 'envelope' ? [{ content: contentOf(JSON.stringify(example)) }] : [],
  );
  return [...halves, ...envelopes];
}

const contentOf = (text: string) => [{ type: 'text', text }];
