import { useMemo, useState } from 'preact/hooks';
import { type Json, writeJson } from '../json/json.js';
import { tokensOf } from '../state/lists.js';
import type { CallResult } from '../state/types.js';
import { LongText } from './long-text.js';
import { formatNumber } from './parts.js';

const texts = ({ content }: CallResult) => content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
const dataText = ({ structuredContent }: CallResult) =>
  structuredContent === undefined ? '' : writeJson(structuredContent as Json);

/** What kinds of hosts pass on to their model. */
const HOSTS: readonly { readonly title: string; readonly see: (result: CallResult) => string }[] = [
  { title: 'All text', see: (result) => texts(result).join('\n') },
  { title: 'Data only', see: (result) => dataText(result) || texts(result).join('\n') },
  { title: 'Text and data', see: (result) => [...texts(result), dataText(result)].filter(Boolean).join('\n') },
  { title: 'First text only', see: (result) => texts(result)[0] ?? '' },
];

export function ModelView({ result }: { result: CallResult }) {
  const [index, setIndex] = useState(0);
  const seen = useMemo(() => HOSTS.map(({ see }) => see(result)), [result]);
  const text = seen[index]!;
  return (
    <>
      <div class="segmented" role="radiogroup" aria-label="What the host passes on">
        {HOSTS.map(({ title }, at) => (
          <label key={title}>
            <input type="radio" name="host" checked={at === index} onChange={() => setIndex(at)} />
            <span>
              {title} <small>≈ {formatNumber(tokensOf(seen[at]!))} tokens</small>
            </span>
          </label>
        ))}
      </div>
      <LongText text={text || '(nothing)'} label="What the model sees" />
    </>
  );
}
