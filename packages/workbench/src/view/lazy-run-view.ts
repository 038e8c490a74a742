import { loadChecks } from '../state/forms.js';
import { lazy } from './lazy.js';

/** The view of a call. It is loaded, with the schema engine, after the first form is drawn. */
export const RunView = lazy(async () => {
  const [view] = await Promise.all([import('./run-view.js'), loadChecks()]);
  return view.RunView;
});
