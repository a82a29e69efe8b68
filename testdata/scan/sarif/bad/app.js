const html = "<p>" + location.hash + "</p>";
document.body.innerHTML = html;
