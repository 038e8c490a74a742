import { useEffect, useRef } from 'preact/hooks';
import { VIEW_KEYS } from '../state/route.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'search the tools'],
  ['Ctrl Enter', 'run the tool'],
  ['Tab', 'go to the next control'],
  ['← →', 'go to the next tab'],
  ['↑ ↓', 'go through the list of tools'],
  [Object.keys(VIEW_KEYS).join(', '), `show ${Object.values(VIEW_KEYS).join(', ')}`],
  ['?', 'show this list'],
  ['Escape', 'close this list'],
];

export function KeyHelp({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="keys-title" class="panel">
      <h2 id="keys-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, effect]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
