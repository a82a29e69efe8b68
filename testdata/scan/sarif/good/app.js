document.body.textContent = location.hash;
