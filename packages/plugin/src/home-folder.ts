import { homedir, userInfo } from 'node:os';

/** The home folder of the user; an empty HOME counts as unset. Empty where there is none. */
export function homeFolder(): string {
  try {
    return homedir() || userInfo().homedir;
  } catch {
    return '';
  }
}
