import type { Run } from '../state/run.js';
import { formatMs } from './parts.js';

export function LogLines({ run }: { run: Run }) {
  if (run.log.length === 0) return null;
  return (
    <ol class="log" aria-label="Log lines of the call" tabIndex={0}>
      {run.log.slice(-200).map((line, index) => (
        <li key={index} class={`log-${line.level}`}>
          <span class="log-time">{formatMs(line.atMs)}</span>
          <span class="log-level">{line.level}</span>
          <span>{typeof line.data === 'string' ? line.data : JSON.stringify(line.data)}</span>
        </li>
      ))}
    </ol>
  );
}
