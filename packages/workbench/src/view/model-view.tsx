import { useMemo, useState } from 'preact/hooks';
import { type Json, writeJson } from '../json/json.js';
import { tokensOf } from '../state/lists.js';
import type { CallResult } from '../state/types.js';
import { LongText } from './long-text.js';
import { formatNumber } from './parts.js';

const textsOf = ({ content }: CallResult) => content.flatMap(({ type, text }) => (type === 'text' ? [text ?? ''] : []));
const dataTextOf = ({ structuredContent }: CallResult) =>
  structuredContent === undefined ? '' : writeJson(structuredContent as Json);

/** The kinds of hosts, by the part of a result that they pass on to their model. */
const HOSTS: readonly { readonly title: string; readonly modelText: (result: CallResult) => string }[] = [
  { title: 'All text', modelText: (result) => textsOf(result).join('\n') },
  { title: 'Data only', modelText: (result) => dataTextOf(result) || textsOf(result).join('\n') },
  {
    title: 'Text and data',
    modelText: (result) => [...textsOf(result), dataTextOf(result)].filter(Boolean).join('\n'),
  },
  { title: 'First text only', modelText: (result) => textsOf(result)[0] ?? '' },
];

export function ModelView({ result }: { result: CallResult }) {
  const [index, setIndex] = useState(0);
  const modelTexts = useMemo(() => HOSTS.map(({ modelText }) => modelText(result)), [result]);
  const text = modelTexts[index]!;
  return (
    <>
      <div class="segmented" role="radiogroup" aria-label="What the host passes on">
        {HOSTS.map(({ title }, hostIndex) => (
          <label key={title}>
            <input type="radio" name="host" checked={hostIndex === index} onChange={() => setIndex(hostIndex)} />
            <span>
              {title} <small>≈ {formatNumber(tokensOf(modelTexts[hostIndex]!))} tokens</small>
            </span>
          </label>
        ))}
      </div>
      <LongText text={text || '(nothing)'} label="What the model sees" />
    </>
  );
}
