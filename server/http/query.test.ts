import { expect, test } from 'vitest';
import { readQuery } from './query.ts';

test.each([
  ['?id=a', 'a'],
  ['id=a+%2B%26', 'a +&'],
  ['id=50%', '50%'],
  ['id=%zz%e', '%zz%e'],
  ['id=%D0%B9%f0%9f%98%80', 'й😀'],
  ['id=%EF%BF%BD', '\ufffd'],
  ['id=%ff', '\0'],
  ['id=a%EF%BF%BDb%ffc', 'a\ufffdb\0c'],
  ['id=%D0', '\0'],
  ['id=%ED%A0%80', '\0'],
])('%s', (search, id) => {
  expect(readQuery(search).get('id')).toBe(id);
});
