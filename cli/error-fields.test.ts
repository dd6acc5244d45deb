import assert from 'node:assert/strict';
import { errorFields } from '#cli/error-fields.ts';
import { ApiError } from '#kube/errors.ts';

describe('an error in the log', () => {
  it('shows name, code, message and status of one of ours, without a stack', () => {
    const error = new ApiError('Forbidden', 'Cannot list endpointslices on cell "a": forbidden', { status: 403, reason: 'Forbidden' });
    assert.deepEqual(errorFields(error), {
      name: 'ApiError',
      code: 'Forbidden',
      message: 'Cannot list endpointslices on cell "a": forbidden',
      status: 403,
      reason: 'Forbidden',
    });
  });

  it('never shows the message of a foreign cause: parsers quote what they read', () => {
    const cause = Object.assign(new SyntaxError('Unexpected token in "s3cret"'), { code: 'EPARSE' });
    const fields = errorFields(new ApiError('Malformed', 'Cannot read', { cause }));
    assert.deepEqual(fields.cause, { name: 'SyntaxError', code: 'EPARSE' });
    assert.ok(!JSON.stringify(fields).includes('s3cret'));
  });

  it('shows where a fault in the program lies', () => {
    const fields = errorFields(new TypeError('x is not a function'));
    assert.equal(fields.message, 'x is not a function');
    assert.match(fields.stack ?? '', /error-fields\.test\.ts/);
  });

  it('ends even when causes form a ring', () => {
    const error = new Error('one');
    error.cause = error;
    assert.equal(errorFields(error).name, 'Error');
  });

  it('is also made of what is no error at all', () => {
    assert.deepEqual(errorFields('word'), { name: 'string' });
    assert.deepEqual(errorFields(undefined), { name: 'undefined' });
  });
});
