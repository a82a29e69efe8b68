test('old too', () => { expect(1).toBe(2) });
test('fine too', () => {});
afterAll(() => { throw new Error('after all went wrong') });
