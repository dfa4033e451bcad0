import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentedJson } from './indented-json.ts';

it('a value is written as JSON.stringify indents it', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const plain = JSON.stringify(JSON.parse(text));
      expect(indentedJson(plain)).toBe(JSON.stringify(JSON.parse(plain), null, 2));
    }),
  );
});

it('numbers, repeated keys and the order of keys stay as they were written', () => {
  expect(indentedJson('{"b":1.0,"2":1e2,"b":[],"1":{},"s":"{\\"a\\": [1]}"}')).toBe(
    '{\n  "b": 1.0,\n  "2": 1e2,\n  "b": [],\n  "1": {},\n  "s": "{\\"a\\": [1]}"\n}',
  );
});

it('what is no JSON has no such form', () => {
  expect(indentedJson('success')).toBeNull();
});
