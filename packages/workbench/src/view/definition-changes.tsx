import { visibleText } from 'mortise/util/visible-text';
import { useMemo, useRef, useState } from 'preact/hooks';
import { type DiffLine, diffLines } from '../json/diff-lines.js';
import { type JsonObject, writeJson } from '../json/json.js';
import { acceptDefinition, canReloadAndAccept } from '../state/operate.js';
import type { DefinitionChange } from '../state/types.js';

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', removed: '−', added: '+' };
const KINDS: Readonly<Record<DefinitionChange['kind'], string>> = {
  added: 'new',
  removed: 'removed',
  changed: 'changed',
};
const BADGES: Readonly<Record<DefinitionChange['kind'], string>> = { added: 'good', removed: 'bad', changed: 'warn' };

export function DefinitionChanges({ changes }: { changes: readonly DefinitionChange[] }) {
  return (
    <div class="changes">
      {changes.map((change) => (
        <Change key={change.label} change={change} isOpen={changes.length <= 3} />
      ))}
    </div>
  );
}

function Change({ change: { label, kind, before, after }, isOpen }: { change: DefinitionChange; isOpen: boolean }) {
  const lines = useMemo(() => diffLines(textOf(before), textOf(after)), [before, after]);
  const shown = lines.filter(({ text }) => text !== '');
  return (
    <details class="change" open={isOpen}>
      <summary>
        <code>{label.trim()}</code> <span class={`badge state-of-${BADGES[kind]}`}>{KINDS[kind]}</span>
      </summary>
      <ol class="diff" aria-label={`Difference of ${label.trim()}`} tabIndex={0}>
        {shown.map(({ kind, text }, index) => (
          <li key={index} class={`diff-${kind}`}>
            <span class="diff-sign" aria-label={kind === 'same' ? undefined : kind}>
              {SIGNS[kind]}
            </span>
            <span>{visibleText(text)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

function textOf(definition: JsonObject | undefined): string {
  return definition === undefined ? '' : writeJson(definition, 2);
}

/** A button that accepts a definition after the user has confirmed its hash. */
export function AcceptButton({ plugin, sha256 }: { plugin: string; sha256: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isBusy, setBusy] = useState(false);
  // The hash in the open dialog. It stays if the definition changes, so that the user accepts what the dialog shows.
  const [confirmedSha256, setConfirmedSha256] = useState(sha256);
  if (!canReloadAndAccept()) return null;
  const accept = async () => {
    setBusy(true);
    await acceptDefinition(plugin, confirmedSha256);
    setBusy(false);
    dialog.current?.close();
  };
  const ask = () => {
    setConfirmedSha256(sha256);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" class="primary" onClick={ask}>
        Accept …
      </button>
      <dialog ref={dialog} class="panel" aria-labelledby={`accept-${plugin}`}>
        <h2 id={`accept-${plugin}`}>Accept the definition of {plugin}?</h2>
        <p>
          Models read these names, descriptions and schemas as they are now. Exactly the definition with this hash is
          accepted:
        </p>
        <code class="hash">{confirmedSha256}</code>
        <div class="actions">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void accept()}>
            Accept this definition
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Not now
          </button>
        </div>
      </dialog>
    </>
  );
}
