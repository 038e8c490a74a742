import { visibleText } from 'mortise/util/visible-text';
import { writeJson } from '../json/json.js';
import { findTool } from '../state/lists.js';
import { isOpen, showTask, taskRuns } from '../state/live-run.js';
import { go } from '../state/route.js';
import type { Run } from '../state/run.js';
import { cancelRun, removeTask } from '../state/runs.js';
import { formatMs, formatTime, Notice } from './parts.js';
import { CancelError, stateText, useElapsed } from './run-view.js';

export function TasksView() {
  const ended = taskRuns.value.filter((run) => !isOpen(run));
  return (
    <section class="page" aria-label="Tasks">
      <div class="page-head">
        <h1>Tasks</h1>
        {ended.length > 1 && (
          <button type="button" onClick={() => ended.forEach(removeTask)}>
            Remove ended tasks
          </button>
        )}
      </div>
      <p class="hint">
        A call that takes long continues on the server as a task. This tab keeps the list of tasks. The server keeps
        each result for a few minutes.
      </p>
      {taskRuns.value.length === 0 && (
        <Notice title="There is no task.">A call becomes a task when it takes long.</Notice>
      )}
      <ul class="entries">
        {taskRuns.value.map((run) => (
          <Task key={run.id} run={run} />
        ))}
      </ul>
    </section>
  );
}

function Task({ run }: { run: Run }) {
  const isRunning = isOpen(run);
  const elapsedMs = useElapsed(run, isRunning);
  const tool = findTool(run.tool);
  const open = () => {
    showTask(run);
    go('tools', run.tool);
  };
  const { progress } = run;
  const value = progress?.total === undefined ? undefined : progress.progress / progress.total;
  return (
    <li class="panel entry" aria-label={run.tool}>
      <div class="entry-head">
        <strong>{visibleText(tool?.title ?? run.tool)}</strong>
        {tool?.title !== undefined && <code>{run.tool}</code>}
        <span class={`badge state-of-${kindOf(run)}`}>{stateText(run)}</span>
        <span class="hint">
          {formatTime(run.startedAt)}, {formatMs(elapsedMs)}
        </span>
      </div>
      <code class="entry-args">{writeJson(run.args).slice(0, 300)}</code>
      {run.state === 'running' && (
        <div class="progress">
          <progress aria-label={`Progress of ${run.tool}`} {...(value !== undefined && { value, max: 1 })} />
          <span>{progress?.message}</span>
        </div>
      )}
      {run.failure && <p class="bad">{run.failure.message}</p>}
      {isRunning && <CancelError run={run} />}
      <div class="actions">
        <button type="button" disabled={!tool} onClick={open}>
          {run.state === 'waiting' ? 'Answer' : 'Open'}
        </button>
        {isRunning ? (
          <button type="button" disabled={run.task?.isCancelling} onClick={() => cancelRun(run)}>
            Cancel
          </button>
        ) : (
          <button type="button" class="quiet" onClick={() => removeTask(run)}>
            Remove
          </button>
        )}
      </div>
    </li>
  );
}

function kindOf({ state, result }: Run): string {
  if (state === 'failed' || result?.isError) return 'bad';
  return { running: 'plain', waiting: 'warn', done: 'good', cancelled: 'warn' }[state];
}
