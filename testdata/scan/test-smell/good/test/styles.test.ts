import chai from "chai";
import sinon from "sinon";
import request from "supertest";
import { expectTypeOf } from "expect-type";
import { is } from "uvu/assert";
import { app, total } from "../cart";

const should = chai.should();
const { wish } = require("chai").expect;

describe("styles", () => {
  afterEach(() => sinon.restore());

  it("reads as a sentence", () => {
    total([1]).should.equal(1);
  });

  it("asks a mock", () => {
    const mock = sinon.mock(app);
    mock.expects("load").once();
    total([1]);
    mock.verify();
  });

  it("asks a spy", () => {
    const spy = sinon.spy();
    total([1], spy);
    sinon.assert.calledOnce(spy);
  });

  it("asks over the wire", () => request(app).get("/").expect(200));

  it("asks for a type", () => {
    expectTypeOf(total).returns.toBeNumber();
  });

  it("uses a bare word", () => {
    is(total([1]), 1);
  });

  it("uses a word of the module", () => {
    wish(total([1]));
  });

  it("waits for the callback", (cb) => {
    total([1], cb);
  });
});
