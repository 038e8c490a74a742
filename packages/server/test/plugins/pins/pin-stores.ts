import { join } from 'node:path';
import { PIN_FILE, readPinFile } from '../../../src/plugins/pins/pin-file.js';
import { PinStore } from '../../../src/plugins/pins/pin-store.js';
import { temporaryFolder } from './tools.js';

/** A store of pins in a folder of its own, and what is in its file. */
export function setUp() {
  const folder = temporaryFolder();
  const file = join(folder, PIN_FILE);
  const pins = () => {
    const read = readPinFile(file);
    return 'pins' in read ? read.pins : read.problem;
  };
  return { folder, file, pins, store: new PinStore(file) };
}
