test('fine three', () => {});
afterAll(() => { throw new Error('after only went wrong') });
