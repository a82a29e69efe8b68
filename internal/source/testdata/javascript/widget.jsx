import React, { useState as state, memo } from 'react';
import * as d3 from 'd3';
import './style.css';

export const Counter = memo(({ start = 0, label }) => {
  const [n, set] = state(start);
  const bump = () => set(n + 1);
  return (
    <>
      {n > 0 && <b onClick={bump}>{label}</b>}
      {n > 9 ? <Big {...d3.max(n)} /> : null}
    </>
  );
});

export default function App() {
  return <Counter label="a" />;
}

export { App as Root };
export * from './other.js';
const lazy = () => import('./lazy.jsx');
