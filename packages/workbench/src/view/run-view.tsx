import { useEffect, useState } from 'preact/hooks';
import { isOpen as isOpenRun } from '../state/live-run.js';
import { answerQuestions } from '../state/questions.js';
import { hrefOf } from '../state/route.js';
import type { Answer, Run } from '../state/run.js';
import { cancelRun } from '../state/runs.js';
import type { Tool } from '../state/types.js';
import { LogLines } from './log-lines.js';
import { formatMs, Notice } from './parts.js';
import { QuestionForm } from './question-form.js';
import { ResultView } from './result-view.js';

/** Shows a call of a tool: its progress and questions while it runs, then its result. */
export function RunView({ tool, run }: { tool: Tool; run: Run }) {
  const isOpen = isOpenRun(run);
  return (
    <section class="panel run" aria-label="Result" aria-busy={run.state === 'running'}>
      <RunHead run={run} isOpen={isOpen} />
      {isOpen && run.task && (
        <p class="hint">
          The call continues on the server. You can leave this tool or reload the page, and find the call under{' '}
          <a href={hrefOf('tasks')}>Tasks</a>.
        </p>
      )}
      {run.state === 'waiting' && <Questions run={run} />}
      {isOpen && <LogLines run={run} />}
      {run.state === 'cancelled' && (
        <Notice kind="warn" title="The call was cancelled.">
          The server was asked to stop it. The call may already have had an effect.
        </Notice>
      )}
      {run.failure && (
        <Notice
          kind="bad"
          title={
            run.failure.code === undefined
              ? 'There is no response.'
              : `The server refused the request (${run.failure.code}).`
          }
        >
          {run.failure.message}
        </Notice>
      )}
      {!isOpen && <ResultView tool={tool} run={run} />}
    </section>
  );
}

const STATES: Readonly<Record<Run['state'], string>> = {
  running: 'Running',
  waiting: 'Waiting for your answer',
  done: 'Done',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

export function stateText({ state, result, task }: Run): string {
  if (result?.isError) return 'Error';
  if (state !== 'running' || !task) return STATES[state];
  return task.isCancelling ? 'Cancelling' : 'Running as a task';
}

function RunHead({ run, isOpen }: { run: Run; isOpen: boolean }) {
  const elapsedMs = useElapsed(run, isOpen);
  const isError = run.state === 'failed' || run.result?.isError === true;
  const text = stateText(run);
  return (
    <div class="run-head">
      <h2 class={isError ? 'bad' : run.state === 'done' ? 'good' : ''}>{text}</h2>
      <span class="visually-hidden" role="status">
        {text}
      </span>
      <span class="elapsed">{formatMs(elapsedMs)}</span>
      {isOpen && (
        <button type="button" disabled={run.task?.isCancelling} onClick={() => cancelRun(run)}>
          Cancel
        </button>
      )}
      {isOpen && <ProgressBar run={run} />}
      {isOpen && <CancelError run={run} />}
    </div>
  );
}

export function CancelError({ run }: { run: Run }) {
  if (run.task?.cancelError === undefined) return null;
  return (
    <Notice kind="bad" title="The task was not cancelled.">
      {run.task.cancelError}
    </Notice>
  );
}

const TICK_MS = 100;

/** The elapsed milliseconds of a run. While the run is open, the component is drawn again as time passes. */
export function useElapsed(run: Run, isOpen: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOpen, run.id]);
  return run.elapsedMs ?? Math.max(0, now - run.startedAt);
}

function ProgressBar({ run: { progress, state } }: { run: Run }) {
  if (state !== 'running') return null;
  const message = progress?.message ?? '';
  const value = progress?.total === undefined ? undefined : progress.progress / progress.total;
  const text = message || (progress && value === undefined ? String(progress.progress) : '');
  return (
    <div class="progress">
      <progress aria-label="Progress of the call" {...(value !== undefined && { value, max: 1 })} />
      <span role="status">{text}</span>
    </div>
  );
}

/** Shows the open questions of a run. The answers are sent together, when all questions have one. */
function Questions({ run }: { run: Run }) {
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  const addAnswer = (key: string, answer: Answer) => {
    const next = new Map(answers).set(key, answer);
    setAnswers(next);
    if (run.questions.every((question) => next.has(question.key))) answerQuestions(run, next);
  };
  return (
    <div class="questions">
      {run.questions
        .filter(({ key }) => !answers.has(key))
        .map((question) => (
          <QuestionForm key={question.key} question={question} onAnswer={(answer) => addAnswer(question.key, answer)} />
        ))}
    </div>
  );
}
