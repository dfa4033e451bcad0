import { expect, test } from 'vitest';
import { runProgram } from '../../lib/run-program.ts';
import { childEnvironment } from '../../settings/settings.ts';

// The program sends by name and by address after its process has used up its open files.
const PROGRAM = `
  import { openSync, closeSync, writeSync } from 'node:fs';
  import { createSecretKey } from 'node:crypto';
  import { createSender } from './server/callbacks/http/send.ts';
  const keys = [createSecretKey(Buffer.alloc(32))];
  const held = [];
  const codes = [];
  // What began the program closes files of its own a little later.
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (const network of ['public', 'local']) {
    const sender = createSender({ network, clock: () => new Date() });
    const send = (url) =>
      sender.send({ id: 'ntf_1', body: Buffer.from('{}'), url }, keys).then(
        ({ failure }) => codes.push(failure),
        ({ code }) => codes.push(code),
      );
    for (const host of ['shop.example.com', '93.184.216.34']) {
      try {
        for (;;) held.push(openSync('/dev/null'));
      } catch {}
      await send('https://' + host + '/');
    }
    for (const file of held.splice(0)) closeSync(file);
  }
  writeSync(1, codes.join(' '));
  process.exit(0);
`;

test('what is not sent for want of open files is a fault of ours, by a name as well', async () => {
  const node = `"${process.execPath}" --import tsx --input-type=module -e "$PROGRAM"`;
  const { output } = await runProgram('sh', ['-c', `ulimit -n 100; exec ${node}`], {
    env: childEnvironment({ PROGRAM, NODE_OPTIONS: '' }),
  });
  expect(output).toBe('EMFILE EMFILE EMFILE EMFILE');
});
