import assert from 'node:assert/strict';
import { AnswerOrder } from '#mirror/answer-order.ts';

const at = (resourceVersion: string) => ({ metadata: { name: 'a', resourceVersion } });

describe('the order of answers and events', () => {
  it('takes every event before the answered version for older, and none after it', () => {
    const order = new AnswerOrder();
    order.expect('a', '7');
    assert.deepEqual(
      ['5', '6', '7', '8', '7'].map((version) => order.sawVersion('a', version)),
      [true, true, false, false, false],
    );
  });

  it('takes an answer for overtaken when its version was shown while it was under way', () => {
    const order = new AnswerOrder();
    const flight = order.begin('a', undefined);
    order.sawVersion('a', '7');
    order.sawVersion('a', '8');
    assert.equal(order.isOvertaken(flight, at('7')), true);
    assert.equal(order.isOvertaken(flight, at('9')), false);
  });

  it('takes an answer for overtaken when a deletion was shown while it was under way', () => {
    const order = new AnswerOrder();
    const flight = order.begin('a', undefined);
    order.sawDeletion('a');
    assert.equal(order.isOvertaken(flight, at('7')), true);
  });

  it('notes nothing for a request that has ended, nor for one about another key', () => {
    const order = new AnswerOrder();
    const [ended, other] = [order.begin('a', undefined), order.begin('b', undefined)];
    order.end('a', ended);
    order.sawVersion('a', '7');
    order.sawDeletion('a');
    assert.equal(order.isOvertaken(ended, at('7')), false);
    assert.equal(order.isOvertaken(other, at('7')), false);
  });

  it('notes for each of several requests about one key', () => {
    const order = new AnswerOrder();
    const [first, second] = [order.begin('a', undefined), order.begin('a', undefined)];
    order.end('a', first);
    order.sawVersion('a', '7');
    assert.equal(order.isOvertaken(second, at('7')), true);
  });

  it('expects nothing of a key that was forgotten, and keeps what it expects of others', () => {
    const order = new AnswerOrder();
    for (const key of ['a', 'b']) order.expect(key, '7');
    order.forget('a');
    assert.equal(order.sawVersion('a', '5'), false);
    assert.equal(order.sawVersion('b', '5'), true);
  });

  it('takes an answer for overtaken that shows what was known before it was asked for', () => {
    const order = new AnswerOrder();
    const flight = order.begin('a', '7');
    order.sawVersion('a', '8');
    assert.equal(order.isOvertaken(flight, at('7')), true);
  });

  it('believes no answer that was under way when a list began or ended, and expects nothing over it', () => {
    const order = new AnswerOrder();
    order.expect('b', '7');
    const flight = order.begin('a', undefined);
    order.sawList();
    assert.equal(order.isOvertaken(flight, at('9')), true);
    assert.equal(order.sawVersion('b', '5'), false);
  });
});
