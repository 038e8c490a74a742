import { useState } from 'preact/hooks';
import { writeJson } from '../json/json.js';
import type { Exchange, ExchangeMessage } from '../rpc/mcp-client.js';
import { LongText } from './long-text.js';
import { CopyButton, formatBytes, formatMs, formatTime } from './parts.js';

/** Shows the messages that were sent and received for a call, without the HTTP headers: they have the access key. */
export function ExchangeView({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <>
      {exchanges.map((exchange, index) => (
        <section key={index} class="exchange" aria-label={`Request ${index + 1}`}>
          <p class="hint">
            {exchange.method}, {formatTime(exchange.startedAt)}
            {exchange.status !== undefined && `, HTTP ${exchange.status}`}
          </p>
          <ol>
            {exchange.messages.map((message, messageIndex) => (
              <Message key={messageIndex} message={message} />
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Message({ message }: { message: ExchangeMessage }) {
  const [isOpen, setOpen] = useState(false);
  const { direction, atMs, size } = message;
  return (
    <li>
      <button type="button" class="quiet message-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class={`direction-${direction}`}>{direction === 'sent' ? '→ sent' : '← received'}</span>
        <span>{titleOf(message)}</span>
        <span class="hint">
          {formatMs(atMs)}, {formatBytes(size)}
        </span>
      </button>
      {isOpen && (
        <>
          <LongText text={writeJson(message.message, 2)} label={titleOf(message)} />
          <CopyButton label="Copy the message" text={() => writeJson(message.message, 2)} />
        </>
      )}
    </li>
  );
}

function titleOf({ message }: ExchangeMessage): string {
  const { method, error } = message as { method?: string; error?: unknown };
  return method ?? (error === undefined ? 'result' : 'error');
}
