import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { HistoryEntry } from '../state/history.js';
import type { ToolAnnotations } from '../state/types.js';

/** A message in the place of content that is empty, loading or broken. */
export function Notice({
  title,
  children,
  kind = 'plain',
}: {
  title: string;
  children?: ComponentChildren;
  kind?: 'plain' | 'bad' | 'warn' | 'good';
}) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  );
}

/** A link back to a list. Only narrow screens show it, where the list and the chosen entry are not side by side. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <a class="back" href={href}>
      ← {children}
    </a>
  );
}

/** Shows a text, with its parts in backticks as code. */
export function WithCode({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

const BADGES: readonly (readonly [keyof ToolAnnotations, boolean, string, string])[] = [
  ['readOnlyHint', true, 'read-only', 'The tool says that it changes nothing.'],
  ['destructiveHint', true, 'destructive', 'The tool says that it can delete or overwrite.'],
  ['idempotentHint', true, 'idempotent', 'The tool says that a second equal call changes nothing more.'],
  ['openWorldHint', true, 'open world', 'The tool says that it reaches beyond this machine.'],
];

/** Shows the annotations of a tool. @param isBrief only the badges `read-only` and `destructive` */
export function Badges({
  annotations = {},
  isBrief = false,
}: {
  annotations?: ToolAnnotations | undefined;
  isBrief?: boolean;
}) {
  const shown = (isBrief ? BADGES.slice(0, 2) : BADGES).filter(([hint, value]) => annotations[hint] === value);
  return (
    <>
      {shown.map(([hint, , label, title]) => (
        <span key={hint} class={`badge badge-${hint}`} title={title}>
          {label}
        </span>
      ))}
    </>
  );
}

const OUTCOME_KINDS: Readonly<Record<HistoryEntry['outcome'], string>> = {
  success: 'good',
  error: 'bad',
  failed: 'bad',
  cancelled: 'warn',
};

export function OutcomeBadge({ outcome }: Pick<HistoryEntry, 'outcome'>) {
  return <span class={`badge state-of-${OUTCOME_KINDS[outcome]}`}>{outcome}</span>;
}

const COPIED_MS = 1_500;

/** @param text computes the text to copy when the button is clicked */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    setState(await writeClipboard(text()));
    setTimeout(() => setState('idle'), COPIED_MS);
  };
  const shown = { idle: label, copied: 'Copied', failed: 'Not allowed to copy' }[state];
  return (
    <button type="button" class="quiet" onClick={copy} aria-live="polite">
      {shown}
    </button>
  );
}

async function writeClipboard(text: string): Promise<'copied' | 'failed'> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'failed';
  }
}

interface Tab {
  readonly id: string;
  readonly label: string;
}

/** Tabs with keyboard control as ARIA describes it. The children are the panel of the selected tab. */
export function Tabs({
  label,
  tabs,
  selected,
  onSelect,
  children,
}: {
  label: string;
  tabs: readonly Tab[];
  selected: string;
  onSelect: (id: string) => void;
  children: ComponentChildren;
}) {
  const move = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex(({ id }) => id === selected);
    const next = tabs[(index + step + tabs.length) % tabs.length]!;
    onSelect(next.id);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <div class="tabs">
      <div role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            type="button"
            role="tab"
            data-tab={id}
            aria-selected={id === selected}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={tabs.find(({ id }) => id === selected)?.label ?? label} class="tabpanel">
        {children}
      </div>
    </div>
  );
}

let numbers: Intl.NumberFormat | undefined;

/**
 * Writes a number in the format of the browser's language. Numbers without separators do not use `Intl`, because its
 * start delays the first paint.
 */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && value >= 0 && value < 1_000) return String(value);
  numbers ??= new Intl.NumberFormat();
  return numbers.format(value);
}

export function formatMs(ms: number): string {
  if (ms < 10 && !Number.isInteger(ms)) return `${formatNumber(Math.round(ms * 10) / 10)} ms`;
  if (ms < 1_000) return `${formatNumber(Math.round(ms))} ms`;
  const seconds = ms / 1_000;
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Writes the time of day, with the date unless it is today. @param at in milliseconds since 1970 */
export function formatTime(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(undefined, { ...(!isToday && { dateStyle: 'short' }), timeStyle: 'medium' });
}

export function formatBytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576 ? `${(size / 1_024).toFixed(1)} KB` : `${(size / 1_048_576).toFixed(1)} MB`;
}
